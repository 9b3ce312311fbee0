;;; An evaluator of sandbox profiles, for tests.
;;;
;;; The profile is read and run by a real Scheme in which nothing is bound but
;;; what the system's own interpreter has and we use: an unknown form, filter,
;;; operation or parameter is an error.  The last rule that matches decides.
;;;
;;; Commands on stdin, one a line, bytes in hexadecimal:
;;;
;;;	D NAME=VALUE          a parameter for the next profile
;;;	P PROFILE             read it: "loaded RULES PARAMETERS-USED" or "error WHY"
;;;	Q OP KIND VALUE       "allow" or "deny", three times
;;;
;;; KIND is file, directory, link or device (VALUE is a path), unix, ip, name,
;;; or none.  The three answers are those of
;;; three readings: the documented one; one in which a subpath does not include
;;; the directory itself; one in which a rule for the very operation goes
;;; before a rule with a wildcard.  A profile should not depend on which holds.

(use-modules (ice-9 rdelim) (ice-9 match) (srfi srfi-1) (srfi srfi-11))
(setlocale LC_ALL "C")
(for-each (lambda (port) (set-port-encoding! port "ISO-8859-1"))
          (list (current-input-port) (current-output-port)))

(define (fail . what)
  (throw 'profile (string-join (map (lambda (x) (if (string? x) x (object->string x))) what) " ")))

(define (unhex text)
  (let ((out (make-string (quotient (string-length text) 2))))
    (do ((i 0 (+ i 1))) ((= i (string-length out)) out)
      (string-set! out i
                   (integer->char
                    (string->number (substring text (* 2 i) (+ 2 (* 2 i))) 16))))))

;;; ---- regular expressions ------------------------------------------------------

;; A matcher takes the text, a position and what is to match after it.
(define (compile-regex text)
  (define end (string-length text))
  (define at 0)
  (define (peek) (and (< at end) (string-ref text at)))
  (define (next!) (let ((c (peek))) (unless c (fail "regex ends early:" text)) (set! at (+ at 1)) c))
  (define (special? c) (string-index "\\^$.|?*+()[]{}" c))

  (define (one test)
    (lambda (s i k)
      (and (< i (string-length s)) (test (string-ref s i)) (k (+ i 1)))))

  (define (bracket)
    (let* ((negated (and (eqv? (peek) #\^) (next!)))
           (ranges
            (let loop ((ranges '()))
              (let ((c (next!)))
                (cond
                 ((char=? c #\]) (if (null? ranges) (fail "empty brackets:" text) ranges))
                 ((memv c '(#\[ #\\ #\^)) (fail "doubtful character in brackets:" text))
                 ((and (eqv? (peek) #\-) (< (+ at 1) end)
                       (not (char=? (string-ref text (+ at 1)) #\])))
                  (next!)
                  (loop (cons (cons c (next!)) ranges)))
                 (else (loop (cons (cons c c) ranges))))))))
      (one (lambda (c)
             (let ((in (any (lambda (r) (and (char<=? (car r) c) (char<=? c (cdr r)))) ranges)))
               (if negated (not in) in))))))

  (define (atom)
    (let ((c (next!)))
      (case c
        ((#\() (let ((m (alternatives)))
                 (unless (eqv? (peek) #\)) (fail "unclosed group:" text))
                 (next!)
                 m))
        ((#\[) (bracket))
        ((#\.) (one (lambda (c) #t)))
        ((#\^) (lambda (s i k) (and (= i 0) (k i))))
        ((#\$) (lambda (s i k) (and (= i (string-length s)) (k i))))
        ((#\\) (let ((c (next!)))
                 (unless (or (special? c) (char=? c #\")) (fail "unknown escape:" text))
                 (one (lambda (x) (char=? x c)))))
        ((#\? #\* #\+ #\{ #\} #\]) (fail "misplaced character:" text))
        (else (one (lambda (x) (char=? x c)))))))

  (define (star m)
    (lambda (s i k)
      (let loop ((i i))
        (or (m s i (lambda (j) (and (> j i) (loop j)))) (k i)))))

  (define (piece)
    (let ((m (atom)))
      (case (peek)
        ((#\*) (next!) (star m))
        ((#\+) (next!) (let ((more (star m))) (lambda (s i k) (m s i (lambda (j) (more s j k))))))
        ((#\?) (next!) (lambda (s i k) (or (m s i k) (k i))))
        (else m))))

  (define (branch)
    (if (or (not (peek)) (memv (peek) '(#\| #\))))
        (lambda (s i k) (k i))
        (let* ((first (piece)) (rest (branch)))
          (lambda (s i k) (first s i (lambda (j) (rest s j k)))))))

  (define (alternatives)
    (let ((first (branch)))
      (if (eqv? (peek) #\|)
          (begin (next!)
                 (let ((rest (alternatives)))
                   (lambda (s i k) (or (first s i k) (rest s i k)))))
          first)))

  (let ((m (alternatives)))
    (when (peek) (fail "unbalanced group:" text))
    (lambda (s)
      (let loop ((i 0))
        (and (<= i (string-length s))
             (or (m s i (lambda (j) #t)) (loop (+ i 1))))))))

;; #"...": the characters as they are.
(read-hash-extend
 #\"
 (lambda (hash port)
   (let loop ((chars '()))
     (let ((c (read-char port)))
       (cond
        ((eof-object? c) (fail "unclosed regex"))
        ((char=? c #\") `(raw ,(list->string (reverse chars))))
        ((and (char=? c #\\) (eqv? (peek-char port) #\")) (fail "quote in a regex"))
        (else (loop (cons c chars))))))))

;;; ---- queries and filters ---------------------------------------------------------

(define strict-subpath (make-parameter #f))
(define q-kind #f)
(define q-value #f)

(define (path?) (memq q-kind '(file directory link device)))

;; A filter: what it is about, and its test.
(define (filter-of about test) (list 'filter about test))
(define (filter? x) (and (pair? x) (eq? (car x) 'filter)))
(define (about f) (cadr f))
(define (test f) ((caddr f)))

(define (need-string x) (unless (string? x) (fail "not a string:" x)) x)

(define (under? root path)
  (let ((n (string-length root)))
    (if (string=? root "/")
        (or (not (strict-subpath)) (> (string-length path) 1))
        (and (string-prefix? root path)
             (or (and (= (string-length path) n) (not (strict-subpath)))
                 (and (> (string-length path) n) (char=? (string-ref path n) #\/)))))))

(define (literal path)
  (need-string path)
  (filter-of 'path (lambda () (string=? path q-value))))
(define (subpath path)
  (need-string path)
  (filter-of 'path (lambda () (under? path q-value))))
(define (regex text)
  (let ((m (compile-regex (need-string text))))
    (filter-of 'path (lambda () (m q-value)))))
(define (vnode-type type)
  (filter-of 'path (lambda () (eq? q-kind type))))
;; Marks that the system hands out: none in a test.
(define (extension name)
  (need-string name)
  (filter-of 'path (lambda () #f)))

(define (same-about filters)
  (when (null? filters) (fail "a combination of nothing"))
  (for-each (lambda (f) (unless (filter? f) (fail "not a filter:" f))) filters)
  (let ((a (about (car filters))))
    (unless (every (lambda (f) (eq? (about f) a)) filters)
      (fail "filters about different things"))
    a))
(define (require-all . filters)
  (filter-of (same-about filters) (lambda () (every test filters))))
(define (require-any . filters)
  (filter-of (same-about filters) (lambda () (any test filters))))
(define (require-not . filters)
  (unless (= (length filters) 1) (fail "require-not takes one filter"))
  (filter-of (same-about filters) (lambda () (not (test (car filters))))))

(define (by-name about)
  (lambda (name)
    (need-string name)
    (filter-of about (lambda () (and (eq? q-kind 'name) (string=? name q-value))))))
(define (by-prefix about)
  (lambda (name)
    (need-string name)
    (filter-of about (lambda () (and (eq? q-kind 'name) (string-prefix? name q-value))))))
(define (by-regex about)
  (lambda (text)
    (let ((m (compile-regex (need-string text))))
      (filter-of about (lambda () (and (eq? q-kind 'name) (m q-value)))))))

;; (remote ip "HOST:PORT"), (remote tcp "localhost:N") or (remote unix-socket FILTER)
(define (internet?) (memq q-kind '(ip udp)))
(define (one-port? pattern)
  (let ((port (and (string-prefix? "localhost:" pattern) (substring pattern 10))))
    (and port (string->number port) (string-every char-numeric? port))))
(define (address . what)
  (match what
    (('ip pattern)
     (unless (member pattern '("*:*" "localhost:*")) (fail "unknown address:" pattern))
     (filter-of 'address
                (lambda ()
                  (and (internet?)
                       (or (string=? pattern "*:*")
                           (string-prefix? "localhost:" q-value)
                           (string-prefix? "127.0.0.1:" q-value)
                           (string-prefix? "[::1]:" q-value))))))
    (('tcp pattern)
     (unless (one-port? (need-string pattern)) (fail "unknown address:" pattern))
     (filter-of 'address
                (lambda ()
                  (and (eq? q-kind 'ip)
                       (member q-value
                               (map (lambda (host) (string-append host (substring pattern 9)))
                                    '("localhost" "127.0.0.1" "[::1]")))
                       #t))))
    (('unix-socket f)
     (unless (and (filter? f) (eq? (about f) 'path)) (fail "not a path:" f))
     (filter-of 'address
                (lambda () (and (eq? q-kind 'unix)
                                (parameterize ((strict-subpath #f)) (test f))))))
    (_ (fail "unknown address:" what))))

(define (target who)
  (unless (eq? who 'same-sandbox) (fail "unknown target:" who))
  (filter-of 'process (lambda () #t)))
(define (socket-domain name)
  (filter-of 'socket (lambda () (and (eq? q-kind 'name) (string=? (symbol->string name) q-value)))))
(define (socket-protocol n)
  (filter-of 'socket (lambda () #t)))

;;; ---- operations and rules ----------------------------------------------------------

;; What each operation can be filtered by.
(define operations
  '((default)
    (file-read* path) (file-read-data path) (file-read-metadata path) (file-read-xattr path)
    (file-write* path) (file-write-create path) (file-write-data path) (file-write-unlink path)
    (file-write-mode path) (file-write-owner path) (file-write-flags path)
    (file-write-times path) (file-write-xattr path)
    (file-test-existence path) (file-map-executable path) (file-ioctl path)
    (file-link path) (file-clone path)
    (process-exec* path) (process-exec path) (process-fork) (process-info* process)
    (signal process) (pseudo-tty)
    (sysctl-read sysctl) (sysctl-write sysctl)
    (mach-lookup service) (mach-host*) (iokit-open iokit)
    (ipc-posix-sem) (ipc-posix-shm-read* shm) (ipc-posix-shm-read-data shm)
    (ipc-posix-shm-write-create shm) (ipc-posix-shm-write-data shm)
    (ipc-posix-shm-write-unlink shm)
    (network-outbound address path) (network-inbound address) (network-bind address)
    (system-socket socket)
    (user-preference-read) (user-preference-write) (appleevent-send bundle) (lsopen)))

(define params '())
(define used '())
(define rules '()) ; the last one first: (allowed operations filters)
(define versions 0)

(define (rule allowed)
  (lambda args
    (let-values (((ops filters) (span symbol? args)))
      (when (null? ops) (fail "a rule without an operation"))
      (for-each
       (lambda (op)
         (for-each
          (lambda (f)
            (unless (filter? f) (fail "not a filter:" f))
            (unless (memq (about f) (cdr (assq op operations)))
              (fail (symbol->string op) "cannot be filtered by" (symbol->string (about f)))))
          filters))
       ops)
      (set! rules (cons (list allowed ops filters) rules)))))

(define (param name)
  (let ((found (assoc (need-string name) params)))
    (unless found (fail "no such parameter:" name))
    (set! used (lset-adjoin string=? used name))
    (cdr found)))

(define (fresh-module)
  (let ((m (make-module 127)))
    (define (bind! name value) (module-define! m name value))
    (for-each (lambda (op) (bind! (car op) (car op))) operations)
    (for-each (lambda (name) (bind! name name))
              '(same-sandbox ip tcp unix-socket AF_SYSTEM AF_UNIX))
    (bind! 'DIRECTORY 'directory)
    (bind! 'CHARACTER-DEVICE 'device)
    (bind! 'raw (lambda (text) text))
    (bind! 'version (lambda (n) (unless (eqv? n 1) (fail "version" n)) (set! versions (+ versions 1))))
    (bind! 'allow (rule #t))
    (bind! 'deny (rule #f))
    (for-each (match-lambda ((name value) (bind! name value)))
              `((param ,param) (literal ,literal) (subpath ,subpath) (regex ,regex)
                (vnode-type ,vnode-type) (extension ,extension)
                (require-all ,require-all) (require-any ,require-any) (require-not ,require-not)
                (remote ,address) (local ,address) (target ,target)
                (socket-domain ,socket-domain) (socket-protocol ,socket-protocol)
                (sysctl-name ,(by-name 'sysctl)) (sysctl-name-prefix ,(by-prefix 'sysctl))
                (global-name ,(by-name 'service)) (local-name ,(by-name 'service))
                (iokit-registry-entry-class ,(by-name 'iokit))
                (ipc-posix-name ,(by-name 'shm)) (ipc-posix-name-regex ,(by-regex 'shm))
                (appleevent-destination ,(by-name 'bundle))))
    m))

(define (load-profile! text)
  (set! rules '())
  (set! used '())
  (set! versions 0)
  (let ((module (fresh-module)))
    (call-with-input-string text
      (lambda (port)
        (let loop ((form (read port)) (n 0))
          (unless (eof-object? form)
            (unless (pair? form) (fail "not a form:" form))
            (unless (memq (car form) '(version allow deny)) (fail "unknown form:" (car form)))
            (eval form module)
            (loop (read port) (+ n 1))))))
    (unless (= versions 1) (fail "no version"))
    (match (last rules)
      ((#f ('default) ()) #t)
      (_ (fail "does not begin with (deny default)")))
    (when (any (lambda (r) (and (car r) (memq 'default (cadr r)))) rules)
      (fail "allows by default"))))

;; A wildcard stands for everything that begins like it.
(define (covers? op asked)
  (or (eq? op asked)
      (eq? op 'default)
      (let ((s (symbol->string op)))
        (and (char=? (string-ref s (- (string-length s) 1)) #\*)
             (string-prefix? (string-drop-right s 1) (symbol->string asked))))))

(define (applies? f)
  (and (if (eq? (about f) 'path) (or (path?) (eq? q-kind 'unix)) #t) (test f)))

(define (decide asked wanted?)
  (let loop ((rules rules))
    (match rules
      (() 'none)
      (((allowed ops filters) . rest)
       (if (and (any (lambda (op) (and (covers? op asked) (wanted? op))) ops)
                (or (null? filters) (any applies? filters)))
           allowed
           (loop rest))))))

(define (answers op)
  (let* ((plain (decide op (lambda (o) #t)))
         (strict (parameterize ((strict-subpath #t)) (decide op (lambda (o) #t))))
         (exact (decide op (lambda (o) (eq? o op))))
         (specific (if (eq? exact 'none) (decide op (lambda (o) (not (eq? o op)))) exact)))
    (list plain strict specific)))

(define (show x) (if (eq? x #t) "allow" "deny"))

(define (say . words)
  (display (string-join words " "))
  (newline)
  (force-output))

(let loop ((line (read-line)))
  (unless (eof-object? line)
    (match (string-split line #\space)
      (("D" hex)
       (let* ((text (unhex hex)) (equals (string-index text #\=)))
         (set! params (acons (substring text 0 equals) (substring text (+ equals 1)) params))))
      (("P" hex)
       (catch #t
         (lambda ()
           (load-profile! (unhex hex))
           (say "loaded" (number->string (length rules)) (number->string (length used))))
         (lambda (key . what)
           (say "error" (string-map (lambda (c) (if (char=? c #\newline) #\space c))
                                    (object->string (cons key what))))
           (set! rules '())))
       (set! params '()))
      (("Q" op kind hex)
       (let ((op (string->symbol op)))
         (unless (assq op operations) (fail "unknown operation" op))
         (set! q-kind (string->symbol kind))
         (set! q-value (unhex hex))
         (apply say (map show (answers op))))))
    (loop (read-line))))
