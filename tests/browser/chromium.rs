//! A headless Chromium, driven over its DevTools protocol: just enough to see a page as its user
//! does.
//!
//! One browser serves all tests; each has a separate window. The protocol is JSON over a local
//! WebSocket, whose client is implemented here: text frames, one connection for each page.

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time after which a test gives up: a guard against hanging, not a measure.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two checks of a page that is not ready.
const PAUSE: Duration = Duration::from_millis(20);

pub(crate) type Outcome<T> = Result<T, String>;

/// The running program, which is killed on drop.
pub(crate) struct Browser {
    child: Child,
    /// `127.0.0.1:port`.
    address: String,
    path: String,
    _profile: TempDir,
}

impl Browser {
    /// Starts the program with an empty profile, for this page only.
    pub(crate) fn start(program: &Path) -> Outcome<Self> {
        let profile = TempDir::new().map_err(|e| e.to_string())?;
        let mut child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--no-default-browser-check", "--disable-extensions"])
            .args(["--disable-background-networking", "--disable-sync", "--mute-audio"])
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .args(["--disable-backgrounding-occluded-windows", "--force-color-profile=srgb"])
            .arg("--remote-debugging-port=0")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let errors = BufReader::new(child.stderr.take().ok_or("no standard error")?);
        // The program prints its address, among other things.
        let mut lines = errors.lines();
        let mut said = String::new();
        let found = lines.by_ref().map_while(Result::ok).find_map(|line| {
            said += &format!("{line}\n");
            line.split_once("ws://").map(|(_, rest)| rest.trim().to_owned())
        });
        // Its later output is irrelevant, but must not fill its pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let Some((address, path)) = found.as_deref().and_then(|found| found.split_once('/')) else {
            let _ = child.kill();
            return Err(format!("{} does not start:\n{said}", program.display()));
        };
        let (address, path) = (address.to_owned(), format!("/{path}"));
        Ok(Self { child, address, path, _profile: profile })
    }

    /// A new window of that size in CSS pixels.
    pub(crate) fn open(&self, width: u32, height: u32) -> Outcome<Page> {
        let mut browser = Page::connect(&self.address, &self.path)?;
        let made = browser.call(
            "Target.createTarget",
            json!({ "url": "about:blank", "newWindow": true, "width": width, "height": height }),
        )?;
        let id = made["targetId"].as_str().ok_or("no target")?;
        let mut page = Page::connect(&self.address, &format!("/devtools/page/{id}"))?;
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}))?;
        }
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }))?;
        page.resize(width, height, 1.0)?;
        Ok(page)
    }
}

/// The browser of all tests: started by the first that opens a page.
static SHARED: Mutex<Option<Outcome<Arc<Browser>>>> = Mutex::new(None);

/// A test that is given the browser.
pub(crate) fn with_browser(name: &str, run: fn(&Browser) -> Result<(), Failed>) -> Trial {
    let Some(program) = crate::support::program("chromium") else {
        return crate::support::cannot_run(name, "the program chromium is not there");
    };
    Trial::test(name, move || {
        let start = || Browser::start(&program).map(Arc::new);
        let browser =
            SHARED.lock().map_err(|error| error.to_string())?.get_or_insert_with(start).clone();
        run(&*browser?)
    })
}

/// Ends the browser, once all tests have.
pub(crate) fn end() {
    drop(SHARED.lock().unwrap().take());
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One window.
pub(crate) struct Page {
    socket: BufReader<TcpStream>,
    calls: u64,
    events: VecDeque<Value>,
}

impl Page {
    fn connect(address: &str, path: &str) -> Outcome<Self> {
        let failed = |error: std::io::Error| format!("{address}{path}: {error}");
        let stream = TcpStream::connect(address).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        let mut socket = BufReader::new(stream);
        let hello = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGludHlwZSByZXBvcnQgMQ==\r\n\r\n"
        );
        socket.get_mut().write_all(hello.as_bytes()).map_err(failed)?;
        let mut first = String::new();
        socket.read_line(&mut first).map_err(failed)?;
        if !first.contains(" 101 ") {
            return Err(format!("{address}{path}: {first}"));
        }
        // The head of the answer ends with an empty line.
        while !first.trim().is_empty() {
            first.clear();
            socket.read_line(&mut first).map_err(failed)?;
        }
        Ok(Self { socket, calls: 0, events: VecDeque::new() })
    }

    fn send(&mut self, text: &str) -> std::io::Result<()> {
        let length = text.len();
        let mut frame = vec![0x81];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A client must mask its messages; a mask of zeros has no effect.
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.socket.get_mut().write_all(&frame)
    }

    fn receive(&mut self) -> std::io::Result<Vec<u8>> {
        let mut message = Vec::new();
        loop {
            let mut head = [0; 2];
            self.socket.read_exact(&mut head)?;
            let mut wide = [0; 8];
            let length = match head[1] & 0x7f {
                126 => {
                    self.socket.read_exact(&mut wide[6..])?;
                    u64::from_be_bytes(wide)
                }
                127 => {
                    self.socket.read_exact(&mut wide)?;
                    u64::from_be_bytes(wide)
                }
                short => u64::from(short),
            };
            let mut body = vec![0; length as usize];
            self.socket.read_exact(&mut body)?;
            match head[0] & 0x0f {
                0 | 1 => message.extend(body),
                8 => return Err(std::io::Error::other("the browser closed the connection")),
                _ => continue,
            }
            if head[0] & 0x80 != 0 {
                return Ok(message);
            }
        }
    }

    /// Calls a method of the protocol; events before its answer are kept.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Outcome<Value> {
        self.calls += 1;
        let id = self.calls;
        let failed = |error: std::io::Error| format!("{method}: {error}");
        let text = json!({ "id": id, "method": method, "params": parameters }).to_string();
        self.send(&text).map_err(failed)?;
        loop {
            let message = self.receive().map_err(failed)?;
            let mut message: Value = serde_json::from_slice(&message).map_err(|e| e.to_string())?;
            if message["id"] != id {
                self.events.push_back(message);
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(format!("{method}: {error}")),
                None => Ok(message["result"].take()),
            };
        }
    }

    /// Evaluates an expression in the page, as a gesture of its user.
    pub(crate) fn value(&mut self, expression: &str) -> Outcome<Value> {
        let result = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true }),
        )?;
        match result.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(result["result"]["value"].clone()),
        }
    }

    pub(crate) fn text(&mut self, expression: &str) -> Outcome<String> {
        let value = self.value(expression)?;
        value.as_str().map(str::to_owned).ok_or(format!("{expression}: {value}, no text"))
    }

    pub(crate) fn number(&mut self, expression: &str) -> Outcome<f64> {
        let value = self.value(expression)?;
        value.as_f64().ok_or(format!("{expression}: {value}, no number"))
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) -> Outcome<()> {
        let started = Instant::now();
        while self.value(expression)? != Value::Bool(true) {
            if started.elapsed() > PATIENCE {
                return Err(format!("never true: {expression}"));
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Fails unless an expression is true.
    pub(crate) fn holds(&mut self, expression: &str) -> Outcome<()> {
        match self.value(expression)? {
            Value::Bool(true) => Ok(()),
            other => Err(format!("{other}: {expression}")),
        }
    }

    /// Opens an address, waits until the page has started and has drawn what it shows.
    pub(crate) fn open(&mut self, address: &str) -> Outcome<()> {
        self.call("Page.navigate", json!({ "url": "about:blank" }))?;
        let result = self.call("Page.navigate", json!({ "url": address }))?;
        if let Some(error) = result.get("errorText") {
            return Err(format!("{address}: {error}"));
        }
        self.wait("document.readyState === 'complete' && typeof current !== 'undefined'")?;
        self.settle()
    }

    /// Waits until pictures and pixels in view are loaded and on the screen.
    pub(crate) fn settle(&mut self) -> Outcome<()> {
        self.wait(
            "(() => { const e = current; if (!e) return true;\
             const there = ['golden', 'new', 'diff'].every((k) => { const p = e.pictures[k]; const h = p && pictures.get(p); return !p || (h && (h.ready || h.failed)); });\
             return there && (!e.pictures.pixels || view.decoded !== null || view.note.startsWith('Pixel values:')); })()",
        )?;
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))").map(drop)
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32, ratio: f64) -> Outcome<()> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// Sets a preference of the user, such as `prefers-color-scheme`.
    pub(crate) fn prefer(&mut self, features: &[(&str, &str)]) -> Outcome<()> {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.call("Emulation.setEmulatedMedia", json!({ "features": features })).map(drop)
    }

    /// Presses and lets go a key, as `KeyboardEvent.key` names it.
    pub(crate) fn key(&mut self, key: &str) -> Outcome<()> {
        self.key_with(key, 0)
    }

    /// The same with modifiers: 1 Alt, 2 Control, 4 Meta, 8 Shift.
    pub(crate) fn key_with(&mut self, key: &str, modifiers: u32) -> Outcome<()> {
        let text = match key {
            "Enter" => "\r",
            single if single.chars().count() == 1 => single,
            _ => "",
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            " " => 32,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let event = |kind: &str, text: &str| json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        self.call(
            "Input.dispatchKeyEvent",
            event(if text.is_empty() { "rawKeyDown" } else { "keyDown" }, text),
        )?;
        self.call("Input.dispatchKeyEvent", event("keyUp", "")).map(drop)
    }

    pub(crate) fn typed(&mut self, text: &str) -> Outcome<()> {
        self.call("Input.insertText", json!({ "text": text })).map(drop)
    }

    /// The middle of an element, in CSS pixels of the window.
    pub(crate) fn middle(&mut self, selector: &str) -> Outcome<[f64; 2]> {
        let quoted = Value::from(selector);
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({quoted}); e.scrollIntoView({{ block: 'nearest' }}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ))?;
        match (place[0].as_f64(), place[1].as_f64()) {
            (Some(x), Some(y)) => Ok([x, y]),
            _ => Err(format!("{selector}: no place")),
        }
    }

    pub(crate) fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], more: Value) -> Outcome<()> {
        let mut event = json!({ "type": kind, "x": x, "y": y });
        if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
            event.extend(more.clone());
        }
        self.call("Input.dispatchMouseEvent", event).map(drop)
    }

    pub(crate) fn hover(&mut self, place: [f64; 2]) -> Outcome<()> {
        self.mouse("mouseMoved", place, json!({}))
    }

    pub(crate) fn drag(&mut self, from: [f64; 2], to: [f64; 2]) -> Outcome<()> {
        let held = json!({ "button": "left", "buttons": 1, "clickCount": 1 });
        self.mouse("mouseMoved", from, json!({}))?;
        self.mouse("mousePressed", from, held.clone())?;
        let half = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
        self.mouse("mouseMoved", half, held.clone())?;
        self.mouse("mouseMoved", to, held.clone())?;
        self.mouse("mouseReleased", to, held)
    }

    pub(crate) fn click(&mut self, selector: &str) -> Outcome<()> {
        let place = self.middle(selector)?;
        self.click_at(place)
    }

    pub(crate) fn click_at(&mut self, place: [f64; 2]) -> Outcome<()> {
        let left = json!({ "button": "left", "buttons": 1, "clickCount": 1 });
        self.mouse("mouseMoved", place, json!({}))?;
        self.mouse("mousePressed", place, left.clone())?;
        self.mouse("mouseReleased", place, left)
    }

    pub(crate) fn wheel(&mut self, place: [f64; 2], delta: f64) -> Outcome<()> {
        self.mouse("mouseWheel", place, json!({ "deltaX": 0, "deltaY": delta }))
    }

    pub(crate) fn touch(&mut self, kind: &str, points: &[[f64; 2]]) -> Outcome<()> {
        let points: Vec<Value> =
            (0..).zip(points).map(|(id, [x, y])| json!({ "x": x, "y": y, "id": id })).collect();
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }))
            .map(drop)
    }

    /// The window as it is seen, in device pixels.
    pub(crate) fn picture(&mut self) -> Outcome<image::RgbaImage> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        let bytes = from_base64(shot["data"].as_str().ok_or("no picture")?);
        Ok(image::load_from_memory(&bytes).map_err(|e| e.to_string())?.to_rgba8())
    }

    /// Keeps the window as a file, where `TINTYPE_SCREENSHOTS` names a folder.
    pub(crate) fn keep_picture(&mut self, name: &str) -> Outcome<()> {
        let Some(folder) = std::env::var_os("TINTYPE_SCREENSHOTS").map(PathBuf::from) else {
            return Ok(());
        };
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        self.picture()?.save(folder.join(format!("{name}.png"))).map_err(|e| e.to_string())
    }

    /// All addresses requested by the page so far.
    pub(crate) fn requests(&mut self) -> Outcome<Vec<String>> {
        self.value("1")?;
        let asked =
            self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        Ok(asked
            .filter_map(|event| event["params"]["request"]["url"].as_str())
            .map(str::to_owned)
            .collect())
    }

    /// Everything that the page complained about so far.
    pub(crate) fn complaints(&mut self) -> Outcome<Vec<String>> {
        self.value("1")?;
        let kinds = ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"];
        let loud =
            self.events.iter().filter(|event| kinds.iter().any(|kind| event["method"] == *kind));
        Ok(loud.map(Value::to_string).collect())
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => u32::from(letter - b'A'),
        b'a'..=b'z' => u32::from(letter - b'a') + 26,
        b'0'..=b'9' => u32::from(letter - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for group in letters.chunks(4) {
        let bits = group.iter().fold(0, |bits, letter| bits << 6 | value(*letter))
            << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
