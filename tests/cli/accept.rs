//! Goldens accepted by the user: from the page that a test serves, and one by one in the terminal.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::goldens::{Outcome, SCENE, blessed, run, write};
use crate::support::command::{BOX, command, wanted};
use crate::support::trial;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Output, Stdio};

fn paint(path: &Path) {
    write(path, "scenes/box.toml", &SCENE.replace("#ffffff", "#ff8040"));
}

/// A test that serves its page; it is ended when it is dropped.
struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    fn start(path: &Path) -> Self {
        let mut command = command(path, &["test", "--serve"]);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut lines = stderr.lines().map_while(Result::ok);
        let address =
            lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned())).unwrap();
        // The pipe is drained, so that the program can write into it.
        std::thread::spawn(move || lines.for_each(drop));
        let (host, token) = address.trim_end_matches('/').split_once('/').unwrap();
        Self { child, host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends bytes, and returns the answer.
    fn send(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, host: &str) -> String {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    fn accept(&self, token: &str, origin: &str, body: &str) -> String {
        let (host, length) = (&self.host, body.len());
        let head = format!("POST /{token}/accept HTTP/1.1\r\nHost: {host}\r\n{origin}");
        self.send(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[trial]
fn page_accepts_goldens_of_its_run_alone() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    let old = fs::read(path.join("golden/box/0003.png"))?;
    paint(path);
    let served = Served::start(path);
    let own = format!("Origin: http://{}\r\n", served.host);
    let golden = "golden/box/0003.png\n";
    let begins = |answer: &str, status: &str| {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{status}\n{answer}");
    };
    let page = served.get(&format!("/{}/", served.token), &served.host);
    begins(&page, "200");
    assert!(page.contains("<meta name=\"tintype-accept\" content=\"accept\">"));
    assert!(page.contains("connect-src 'self'"));
    let picture = format!("/{}/pictures/box/0003.new.png", served.token);
    begins(&served.get(&picture, &served.host), "200");
    begins(&served.get(&picture.replace("0003.new", "0003%2enew"), &served.host), "200");

    // Another token, host or origin.
    let other = "0".repeat(served.token.len());
    begins(&served.get(&format!("/{other}/"), &served.host), "403");
    begins(&served.get("/", &served.host), "403");
    begins(&served.get(&picture, "example.org"), "403");
    let under = |name: &str| served.host.replace("127.0.0.1", name);
    for name in ["localhost.example", "127.0.0.1.example", "evil", "localhost@evil", ""] {
        begins(&served.get(&picture, &under(name)), "403");
    }
    begins(&served.get(&picture, "localhost:x"), "403");
    // Editors and tunnels hand the port on as localhost, also under another number.
    for host in [under("localhost"), under("LocalHost"), "localhost:8080".to_owned()] {
        begins(&served.get(&picture, &host), "200");
    }
    let from_localhost = own.replace("127.0.0.1", "localhost");
    begins(&served.accept(&served.token, &from_localhost, golden), "403");
    begins(&served.accept(&other, &own, golden), "403");
    for origin in ["", "Origin: null\r\n", "Origin: http://example.org\r\n"] {
        begins(&served.accept(&served.token, origin, golden), "403");
    }
    // Files of the report alone.
    for name in [
        "../scenes/box.toml",
        "pictures/../../x",
        "%2e%2e/x",
        ".tintype-report",
        "pictures/x.png",
        "/etc/passwd",
        "pictures/%zz",
        "index.html",
    ] {
        begins(&served.get(&format!("/{}/{name}", served.token), &served.host), "404");
    }
    // Only goldens of the run; an unknown one refuses all.
    for body in [
        "",
        "golden/box/0099.png\n",
        "../golden/box/0003.png\n",
        "golden/box/0003.png\nscenes/box.toml\n",
    ] {
        begins(&served.accept(&served.token, &own, body), "404");
    }
    // Bounds.
    let head = format!("POST /{}/accept HTTP/1.1\r\nHost: {}\r\n{own}", served.token, served.host);
    begins(&served.send(format!("{head}Content-Length: 9999999999\r\n\r\n").as_bytes()), "413");
    begins(&served.send(format!("{head}Content-Length: -1\r\n\r\n").as_bytes()), "400");
    begins(&served.send(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes()), "411");
    begins(&served.send(format!("{head}Host: a\r\n\r\n").as_bytes()), "400");
    begins(&served.send(b"\x16\x03\x01\x00\n"), "400");
    let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(20_000));
    assert!(!served.send(long.as_bytes()).contains("200 OK"));
    assert!(old == fs::read(path.join("golden/box/0003.png"))?, "nothing was written");

    let answer = served.accept(&served.token, &own, "golden/box/0003.png\ngolden/box/0004.png\n");
    begins(&answer, "200");
    let said = "{\"accepted\":[\"golden/box/0003.png\",\"golden/box/0004.png\"],\"refused\":[]}";
    assert!(answer.ends_with(said), "{answer}");
    assert!(old != fs::read(path.join("golden/box/0003.png"))?);
    drop(served);
    run(path, &["test"], 1, "2 goldens the same, 6 failed")?;
    // As bless does.
    let own = fs::read(path.join("golden/box/0003.toml"))?;
    run(path, &["bless", "--all"], 0, "6 goldens written")?;
    assert!(own == fs::read(path.join("golden/box/0003.toml"))?);
    let mut on_server = command(path, &["test", "--serve"]);
    wanted(&on_server.env("CI", "true").output()?, 2, "--serve: CI is set")?;
    Ok(())
}

/// A review with these lines as answers.
fn review(path: &Path, lines: &str, more: &[&str]) -> Output {
    let mut command = command(path, &[&["review"], more].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A review that ends before its last line closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

#[trial]
fn review_decides_one_by_one() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    wanted(&review(path, "", &[]), 0, "no goldens fail")?;
    let golden =
        |number: usize| fs::read(path.join(format!("golden/box/000{number}.png"))).unwrap();
    let old: Vec<Vec<u8>> = (0..8).map(golden).collect();
    let record = fs::read(path.join("golden/box/0001.toml"))?;
    paint(path);
    let output = review(path, "a\na\nu\nwhat\nr\ns\nq\n", &[]);
    wanted(&output, 1, "1 accepted, 1 rejected, 6 skipped")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for words in [
        "1 of 8",
        "golden/box/0000.png: ",
        "  golden, new and difference: ",
        "\"what\": expected a",
        "the golden is unchanged",
        "rejected: golden/box/0001.png",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let now: Vec<bool> = (0..8).map(|number| golden(number) == old[number]).collect();
    assert_eq!(now, [false, true, true, true, true, true, true, true]);
    assert!(record == fs::read(path.join("golden/box/0001.toml"))?, "its record is back too");
    // All that are left.
    wanted(&review(path, "s\nS\n", &[]), 1, "0 accepted, 0 rejected, 7 skipped")?;
    wanted(&review(path, "s\nR\n", &[]), 1, "0 accepted, 6 rejected, 1 skipped")?;
    let all = ["golden/box/0006.png", "golden/box/0007.png"];
    wanted(&review(path, "a\nu\nreject all\n", &all), 1, "0 accepted, 2 rejected, 0 skipped")?;
    assert!((6..8).all(|number| golden(number) == old[number]), "they are as they were");
    wanted(&review(path, "accept all\n", &all), 0, "2 accepted, 0 rejected, 0 skipped")?;
    assert!((6..8).all(|number| golden(number) != old[number]));
    // Some frames, the end of the input, and all frames of one cause.
    wanted(&review(path, "s\n", &["golden/box/0005.png"]), 1, "0 accepted, 0 rejected, 1 skipped")?;
    wanted(&review(path, "", &["--filter", "0005"]), 1, "1 skipped")?;
    let output = review(path, "c\n", &[]);
    wanted(&output, 0, "5 accepted, 0 rejected, 0 skipped")?;
    run(path, &["test"], 0, "8 goldens the same")?;
    let mut on_server = command(path, &["review"]);
    wanted(&on_server.env("CI", "true").output()?, 2, "CI is set")?;
    // A missing golden is one, and what is undone is missing again.
    fs::remove_file(path.join("golden/box/0002.png"))?;
    fs::remove_file(path.join("golden/box/0002.toml"))?;
    wanted(&review(path, "a\n", &[]), 0, "1 accepted")?;
    fs::remove_file(path.join("golden/box/0002.png"))?;
    fs::remove_file(path.join("golden/box/0002.toml"))?;
    fs::remove_file(path.join("golden/box/0003.png"))?;
    wanted(&review(path, "a\nu\ns\nq\n", &[]), 1, "2 skipped")?;
    assert!(!path.join("golden/box/0002.png").exists());
    assert!(!path.join("golden/box/0002.toml").exists());
    // A picture that cannot be accepted is left, and the review continues.
    write(path, "scenes/box.md5mesh", &BOX.replace("\"crate\"", "\"none_such\""));
    let material = "[[material]]\nname = \"crate\"\ncolor = \"#ffffff\"\n";
    write(path, "scenes/box.toml", &SCENE.replace(material, ""));
    let output = review(path, "a\nc\n", &["golden/box/0004.png", "golden/box/0005.png"]);
    wanted(&output, 1, "0 accepted, 0 rejected, 2 skipped")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("0004.png: not accepted: the picture has stand-ins"), "{said}");
    Ok(())
}

/// A scene whose box is textured.
fn with_texture(path: &Path) {
    fs::copy(path.join("golden/box/0000.png"), path.join("scenes/skin.png")).unwrap();
    let color = "color = \"#ffffff\"";
    write(path, "scenes/box.toml", &SCENE.replace(color, "diffuse = \"skin.png\""));
}

/// Edits of a file, each with the message that refuses the picture shown before. None if that
/// picture is still right.
type Edit = (&'static str, fn(&Path), Option<&'static str>);

const EDITS: [Edit; 6] = [
    (
        "scenes/box.md5mesh",
        |path| write(path, "scenes/box.md5mesh", &BOX.replace("( 1 1 2 )", "( 1 1 3 )")),
        Some("a file of the scene changed since"),
    ),
    // Not visible in the frame: the record would be that of another file.
    (
        "scenes/box.md5mesh",
        |path| {
            write(path, "scenes/box.md5mesh", &BOX.replace("commandline \"\"", "commandline \"a\""))
        },
        Some("a file of the scene changed since"),
    ),
    (
        "scenes/skin.png",
        |path| drop(fs::copy(path.join("golden/box/0005.png"), path.join("scenes/skin.png"))),
        Some("a file of the scene changed since"),
    ),
    (
        "golden/box/0003.png",
        |path| drop(fs::copy(path.join("golden/box/0005.png"), path.join("golden/box/0003.png"))),
        Some("the golden changed since"),
    ),
    (
        "golden/box/0003.toml",
        |path| drop(fs::copy(path.join("golden/box/0005.toml"), path.join("golden/box/0003.toml"))),
        Some("the golden changed since"),
    ),
    (
        "scenes/box.toml",
        |path| write(path, "scenes/box.toml", &SCENE.replace("= 70", "= 90")),
        None,
    ),
];

#[trial]
fn what_changed_since_it_was_shown_is_not_accepted() -> Outcome {
    let folder = blessed()?;
    let path = folder.path();
    with_texture(path);
    let served = Served::start(path);
    let own = format!("Origin: http://{}\r\n", served.host);
    let golden = path.join("golden/box/0003.png");
    let accept = || served.accept(&served.token, &own, "golden/box/0003.png\n");
    for (file, edit, words) in EDITS {
        let kept = fs::read(path.join(file))?;
        edit(path);
        let before = fs::read(&golden)?;
        let answer = accept();
        match words {
            Some(words) => {
                assert!(
                    answer.contains("\"accepted\":[]") && answer.contains(words),
                    "{file}: {answer}"
                );
                assert!(before == fs::read(&golden)?, "{file}: the golden is unchanged");
            }
            None => assert!(answer.contains("\"refused\":[]"), "{file}: {answer}"),
        }
        fs::write(path.join(file), kept)?;
    }
    // Accepted as shown, by the scene of then.
    run(path, &["test", "--filter", "0003"], 0, "1 golden the same")?;
    // A golden that appeared meanwhile was not reviewed; the others of its group are accepted.
    drop(served);
    fs::rename(path.join("golden/box/0004.png"), path.join("kept.png"))?;
    let served = Served::start(path);
    let own = format!("Origin: http://{}\r\n", served.host);
    fs::rename(path.join("kept.png"), path.join("golden/box/0004.png"))?;
    let answer = served.accept(&served.token, &own, "golden/box/0004.png\ngolden/box/0005.png\n");
    assert!(answer.contains("\"accepted\":[\"golden/box/0005.png\"]"), "{answer}");
    assert!(answer.contains("the golden changed since"), "{answer}");
    // Another run shows its pictures in the folder of the page.
    write(path, "scenes/box.toml", SCENE);
    run(path, &["test", "--report", "out/report"], 1, "")?;
    let before = fs::read(path.join("golden/box/0006.png"))?;
    let answer = served.accept(&served.token, &own, "golden/box/0006.png\n");
    assert!(answer.contains("another test has written this report"), "{answer}");
    assert!(before == fs::read(path.join("golden/box/0006.png"))?);
    Ok(())
}

/// Answers a review; each answer is given after the preceding action, which waits for the question.
fn answer(path: &Path, answers: &[(&dyn Fn(), &str)]) -> String {
    let mut command = command(path, &["review", "golden/box/0003.png"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, stderr) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
    let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
    let mut said = String::new();
    for (act, line) in answers {
        for own in lines.by_ref() {
            said += &(own.clone() + "\n");
            if own.contains("(a)ccept") {
                break;
            }
        }
        act();
        writeln!(stdin, "{line}").unwrap();
    }
    drop(stdin);
    lines.for_each(|own| said += &(own + "\n"));
    child.wait().unwrap();
    said
}

#[trial]
fn review_accepts_what_it_showed() -> Outcome {
    for (file, edit, words) in EDITS {
        let folder = blessed()?;
        let path = folder.path();
        with_texture(path);
        let golden = path.join("golden/box/0003.png");
        let before = fs::read(&golden)?;
        let is_golden = file.ends_with("0003.png");
        let said = answer(path, &[(&|| edit(path), "a")]);
        let stays = is_golden || before == fs::read(&golden)?;
        match words {
            Some(words) => assert!(stays && said.contains(words), "{file}: {said}"),
            None => assert!(!stays && said.contains("1 accepted"), "{file}: {said}"),
        }
    }
    // A file that another process overwrote meanwhile is not reverted.
    let folder = blessed()?;
    let path = folder.path();
    paint(path);
    let other = fs::read(path.join("golden/box/0005.png"))?;
    let mut command = command(path, &["review", "golden/box/0002.png", "golden/box/0003.png"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut question = || lines.find(|line| line.contains("(a)ccept"));
    question();
    writeln!(stdin, "a")?;
    question();
    fs::write(path.join("golden/box/0002.png"), &other)?;
    writeln!(stdin, "u")?;
    drop(stdin);
    let said: String = lines.collect();
    assert!(said.contains("0002.png: kept, because it changed since it was accepted"), "{said}");
    child.wait()?;
    assert!(other == fs::read(path.join("golden/box/0002.png"))?);
    Ok(())
}
