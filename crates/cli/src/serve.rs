//! `test --serve`: a local web server for the page of a report, whose buttons accept goldens of the
//! run.
//!
//! A small part of HTTP/1.1 (RFC 9112): one request per connection, bounded in size and time. Only
//! this machine can reach the port, only requests with the random token in the URL are answered,
//! and only the page itself, checked by `Origin`, may accept; `Host` excludes names of other
//! machines. Editors and tunnels forward a port as `localhost`, also under another number. Only
//! files of the report are sent, and only failed goldens of the run are written.

use super::console::Console;
use super::failure::Failure;
use super::report::INDEX;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tintype_base::amount::counted;
use tintype_base::disk::{read_regular, read_regular_text};
use tintype_golden::TestRun;
use tintype_golden::report::page::served;
use tintype_golden::run::Failure as Failed;
use tintype_golden::test_report::is_of_report;

/// Maximum size of a request before its body.
const MAX_HEAD: u64 = 16 * 1024;
/// Maximum size of a body: the names of a few thousand goldens.
const MAX_BODY: usize = 1024 * 1024;
/// Most connections at a time; further ones are closed.
const MAX_OPEN: usize = 32;
/// Maximum wait for bytes of a request, or for buffer space for those of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Wait after a connection that the system failed to accept.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves the report in a folder until the process is stopped.
pub(super) fn run(folder: &Path, run: &TestRun, console: &Console) -> Result<(), Failure> {
    let failed_to = |error: std::io::Error| Failure::bad_input(format!("--serve: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed_to)?;
    let host = listener.local_addr().map_err(failed_to)?.to_string();
    let failures: Vec<Failed> = run.failures().filter(|one| one.frame().is_some()).collect();
    let token = token().map_err(|error| Failure::bad_input(format!("--serve: {error}")))?;
    console.info(&format!("{}: http://{host}/{token}/", counted(failures.len(), "failure")));
    console.info("Accept goldens in the page; press Ctrl-C to stop.");
    let shown = page_digest(folder);
    let server = Server { folder, token, failures, shown, accepts: Mutex::new(()), console };
    let open = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            // Without free files or memory, the next connection would also fail.
            let Ok(stream) = stream else {
                std::thread::sleep(PAUSE);
                continue;
            };
            if open.fetch_add(1, Ordering::Relaxed) >= MAX_OPEN {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (server, open) = (&server, &open);
            scope.spawn(move || {
                // A client that disconnects gets no answer.
                let _ = server.answer(stream);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
    Ok(())
}

/// Digest of the page in a folder. None if it cannot be read.
fn page_digest(folder: &Path) -> Option<blake3::Hash> {
    read_regular(&folder.join(INDEX)).ok().map(|page| blake3::hash(&page))
}

/// 128 random bits as letters.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Server<'a> {
    folder: &'a Path,
    token: String,
    failures: Vec<Failed<'a>>,
    /// The page of this run; another run may overwrite it.
    shown: Option<blake3::Hash>,
    /// Goldens are accepted one after the other.
    accepts: Mutex<()>,
    console: &'a Console,
}

/// A complete request.
struct Request {
    method: String,
    path: String,
    host: String,
    origin: Option<String>,
    body: Vec<u8>,
}

/// True if the `Host` header of a request names the loopback interface, with any port: no DNS
/// server can point these names elsewhere.
fn is_this_machine(host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let is_own =
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|own| name.eq_ignore_ascii_case(own));
    is_own && port.parse::<u16>().is_ok()
}

/// Status, content type, and bytes.
type Answer = (&'static str, &'static str, Vec<u8>);

fn refused(status: &'static str) -> Answer {
    (status, "text/plain", format!("{status}\n").into_bytes())
}

impl Server<'_> {
    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (status, kind, bytes) = match request(&stream) {
            Ok(request) => self.of(&request),
            Err(status) => refused(status),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
            bytes.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&bytes)?;
        stream.flush()
    }

    fn of(&self, request: &Request) -> Answer {
        // Digests are compared in constant time.
        let is_token =
            |text: &str| blake3::hash(text.as_bytes()) == blake3::hash(self.token.as_bytes());
        let below = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some((token, name)) = below.filter(|_| is_this_machine(&request.host)) else {
            return refused("403 Forbidden");
        };
        if !is_token(token) {
            return refused("403 Forbidden");
        }
        match (request.method.as_str(), name) {
            ("GET", "") => match read_regular_text(&self.folder.join(INDEX)) {
                Ok(page) => ("200 OK", "text/html; charset=utf-8", served(&page).into_bytes()),
                Err(_) => refused("404 Not Found"),
            },
            ("GET", name) => self.file(name),
            ("POST", "accept") if request.origin == Some(format!("http://{}", request.host)) => {
                self.accept(&request.body)
            }
            ("POST", "accept") => refused("403 Forbidden"),
            _ => refused("404 Not Found"),
        }
    }

    /// A file of the report.
    fn file(&self, name: &str) -> Answer {
        let name = unescaped(name);
        let Some(name) = name.filter(|name| is_of_report(self.folder, name)) else {
            return refused("404 Not Found");
        };
        let kind = match Path::new(&name).extension().and_then(|own| own.to_str()) {
            Some("png") => "image/png",
            Some("js") => "text/javascript; charset=utf-8",
            _ => "application/octet-stream",
        };
        match read_regular(&self.folder.join(&name)) {
            Ok(bytes) => ("200 OK", kind, bytes),
            Err(_) => refused("404 Not Found"),
        }
    }

    /// Accepts the listed goldens, one name per line, if all of them are failures of the run.
    fn accept(&self, body: &[u8]) -> Answer {
        let Ok(text) = std::str::from_utf8(body) else { return refused("400 Bad Request") };
        let find = |name| self.failures.iter().find(|one| one.has_name(name)).ok_or(name);
        let chosen: Result<Vec<&Failed>, &str> = text.lines().map(find).collect();
        let chosen = match chosen {
            Ok(chosen) if !chosen.is_empty() => chosen,
            _ => return refused("404 Not Found"),
        };
        let _one_at_a_time = self.accepts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (mut accepted, mut left) = (Vec::new(), Vec::new());
        let is_own_page = page_digest(self.folder) == self.shown;
        for (name, one) in text.lines().zip(chosen) {
            let result = if is_own_page {
                one.accept().map_err(|error| error.to_string())
            } else {
                Err("another test has written this report; stop this server".to_owned())
            };
            match result {
                Ok(_) => {
                    self.console.info(&format!("accepted {name}"));
                    accepted.push(name);
                }
                Err(why) => {
                    self.console.error(&format!("{name}: not accepted: {why}"));
                    left.push(serde_json::json!({ "golden": name, "why": why }));
                }
            }
        }
        let text = serde_json::json!({ "accepted": accepted, "refused": left }).to_string();
        ("200 OK", "application/json", text.into_bytes())
    }
}

/// Reads a request; the error is the status for an invalid, too large or too slow one.
fn request(stream: &TcpStream) -> Result<Request, &'static str> {
    const BAD: &str = "400 Bad Request";
    let mut reader = BufReader::new(stream.take(MAX_HEAD + MAX_BODY as u64));
    let mut left = MAX_HEAD;
    let mut line = || -> Result<String, &'static str> {
        let mut line = Vec::new();
        let read = reader.by_ref().take(left).read_until(b'\n', &mut line);
        left -= line.len() as u64;
        match read {
            Ok(_) if line.ends_with(b"\n") => {}
            Ok(_) if left == 0 => return Err("431 Request Header Fields Too Large"),
            Ok(_) => return Err(BAD),
            Err(_) => return Err("408 Request Timeout"),
        }
        String::from_utf8(line).map(|line| line.trim_end().to_owned()).map_err(|_| BAD)
    };
    let first = line()?;
    let [method, path, "HTTP/1.1" | "HTTP/1.0"] = *first.split(' ').collect::<Vec<_>>() else {
        return Err(BAD);
    };
    let (mut hosts, mut origins, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let own = line()?;
        if own.is_empty() {
            break;
        }
        let (name, value) = own.split_once(':').ok_or(BAD)?;
        let value = value.trim().to_owned();
        match name.to_ascii_lowercase().as_str() {
            "host" => hosts.push(value),
            "origin" => origins.push(value),
            "content-length" => lengths.push(value),
            "transfer-encoding" => return Err("411 Length Required"),
            _ => {}
        }
    }
    // Reject duplicate headers.
    if hosts.len() != 1 || origins.len() > 1 || lengths.len() > 1 {
        return Err(BAD);
    }
    let length = lengths.pop().map_or(Ok(0), |text| text.parse::<usize>()).map_err(|_| BAD)?;
    if length > MAX_BODY {
        return Err("413 Content Too Large");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).map_err(|_| BAD)?;
    let (method, path) = (method.to_owned(), path.to_owned());
    let host = hosts.pop().ok_or(BAD)?;
    Ok(Request { method, path, host, origin: origins.pop(), body })
}

/// Decodes the percent escapes of a name in a URL. None if the result is not UTF-8.
fn unescaped(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).ok()
}
