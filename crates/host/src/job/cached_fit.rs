//! The fit of a large job, stored beside its pictures and reused by every shard, task and later run
//! of the same job.
//!
//! A camera is fitted to all frames of a scene, whichever are drawn, so a task that draws one frame
//! of 100,000 would pose them all. The file caches the few resulting numbers. It is a shortcut,
//! never a source of truth: its first line names the digest of scene, files and program, its last
//! line is a digest of the rest, and a file that is not exactly right is made anew. Failures to
//! read or write it are ignored.

use super::journal::STATE_DIR;
use super::sinks::folder_of;
use crate::write_kept;
use std::path::PathBuf;
use tintype_base::disk::read_bounded;
use tintype_render::{BoundScene, Renderer};
use tintype_scene::FramePattern;

/// Number of vertices over all frames from which a fit is cached: about half a second of work.
const MIN_VERTICES: u64 = 1 << 25;
/// Maximum size of a file.
const MAX_BYTES: u64 = 1 << 20;

/// Place of a job's cached fit, and the digest that identifies it.
#[derive(Clone, Debug)]
pub(super) struct CachedFit {
    path: PathBuf,
    /// Digest of all inputs of the numbers.
    key: String,
}

impl CachedFit {
    /// The cache file for pictures of these names, in `.tintype/fit` beside them; `digest`
    /// identifies their pixels, and `build` the program if its version does not identify what it
    /// draws.
    pub(super) fn new(pattern: &FramePattern, digest: &str, build: Option<&str>) -> Self {
        // Without the folder, which may be written in several ways.
        let text = pattern.text();
        let name = text.strip_prefix(pattern.folder()).unwrap_or(&text);
        let name = blake3::hash(name.as_bytes()).to_hex();
        let path = folder_of(pattern).join(STATE_DIR).join("fit").join(&name[..16]);
        let program = concat!("tintype ", env!("CARGO_PKG_VERSION"));
        let key = format!("{program}\n{}\n{digest}", build.unwrap_or_default());
        Self { path, key: blake3::hash(key.as_bytes()).to_hex().to_string() }
    }

    /// Fits a scene by the stored numbers if they are valid, and stores them otherwise.
    pub(super) fn fit(&self, bound: BoundScene) -> Renderer {
        let kept = read_bounded(&self.path, MAX_BYTES).ok();
        let kept = kept.and_then(|bytes| decode(&bytes, &self.key));
        let renderer = match &kept {
            Some(numbers) => bound.fit_as(numbers),
            None => bound.fit(),
        };
        if kept.as_deref().is_none_or(|kept| !is_same(kept, renderer.measured())) {
            self.write(renderer.measured());
        }
        renderer
    }

    fn write(&self, numbers: &[f32]) {
        write_kept(&self.path, encode(numbers, &self.key).as_bytes());
    }
}

/// Fits a scene; by numbers stored beside its pictures if these are files and it saves enough work.
pub(super) fn fit(
    bound: BoundScene,
    pattern: Option<&FramePattern>,
    digest: &str,
    build: Option<&str>,
) -> Renderer {
    match pattern {
        Some(pattern) if bound.vertices_to_fit() >= MIN_VERTICES => {
            CachedFit::new(pattern, digest, build).fit(bound)
        }
        _ => bound.fit(),
    }
}

fn is_same(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// The first line of a file, without its key.
const MARK: &str = "tintype fit 1 ";

fn encode(numbers: &[f32], key: &str) -> String {
    let words: Vec<String> =
        numbers.iter().map(|number| format!("{:08x}", number.to_bits())).collect();
    let text = format!("{MARK}{key}\n{}\n", words.join(" "));
    let sum = blake3::hash(text.as_bytes()).to_hex();
    format!("{text}{sum}\n")
}

/// The numbers of a file. None if any byte differs from the output of [`encode`] for the key.
fn decode(bytes: &[u8], key: &str) -> Option<Vec<f32>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let words = text.strip_prefix(MARK)?.strip_prefix(key)?.strip_prefix('\n')?.lines().next()?;
    let number = |word: &str| u32::from_str_radix(word, 16).ok().map(f32::from_bits);
    let numbers: Vec<f32> = words.split(' ').map(number).collect::<Option<_>>()?;
    (encode(&numbers, key) == text).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use tintype_base::deadline::Deadline;
    use tintype_formats::LoadOptions;
    use tintype_scene::parse_scene;

    #[test]
    fn only_a_whole_file_of_the_same_key_is_taken() {
        let numbers = [0.0, -0.0, 1.5, f32::INFINITY, f32::MIN_POSITIVE / 4.0];
        let text = encode(&numbers, "key");
        let decoded = decode(text.as_bytes(), "key").unwrap();
        assert!(is_same(&decoded, &numbers));
        assert_eq!(decode(text.as_bytes(), "kex"), None);
        for k in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            assert_eq!(decode(&bytes[..k], "key"), None, "cut at {k}");
            bytes[k] ^= 1;
            assert_eq!(decode(&bytes, "key"), None, "byte {k}");
        }
        assert_eq!(decode(format!("{text}\n").as_bytes(), "key"), None);
        assert_eq!(decode(b"", "key"), None);
    }

    fn bound(color: &str) -> BoundScene {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let text = std::fs::read_to_string(folder.join("walk.toml")).unwrap();
        let text = text.replace("#fff0d6", color);
        let scene = parse_scene(&text, "walk.toml").unwrap();
        let assets = tintype_render::asset::load(&scene, &folder, &LoadOptions::default()).unwrap();
        BoundScene::new(scene, assets, &Deadline::NEVER).unwrap()
    }

    #[test]
    fn fit_is_kept_shared_and_made_again_where_it_is_not_right() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{}/####.png", folder.path().display());
        let pattern = FramePattern::parse(&name).unwrap();
        let first = bound("#ffffff");
        let key = |bound: &BoundScene| CachedFit::new(&pattern, &bound.digest(), None);
        let kept = key(&first);
        let path = kept.path.clone();
        let fitted = first.clone().fit();
        let numbers = fitted.measured().to_vec();
        assert!(is_same(kept.fit(first.clone()).measured(), &numbers));
        let whole = std::fs::read(&path).unwrap();

        // Another run uses it, as shown by a file with different numbers and valid digests.
        let other: Vec<f32> = numbers.iter().map(|number| number * 2.0).collect();
        std::fs::write(&path, encode(&other, &kept.key)).unwrap();
        assert!(is_same(kept.fit(first.clone()).measured(), &other));
        // Too many numbers, and invalid numbers, are not a fit of this scene.
        for wrong in [[&numbers[..], &[1.0]].concat(), vec![f32::NAN; numbers.len()], Vec::new()] {
            std::fs::write(&path, encode(&wrong, &kept.key)).unwrap();
            assert!(is_same(kept.fit(first.clone()).measured(), &numbers));
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        // A damaged one is written again.
        for damage in [&whole[..whole.len() / 2], b"", b"\xff\xfe"] {
            std::fs::write(&path, damage).unwrap();
            assert!(is_same(kept.fit(first.clone()).measured(), &numbers));
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        // Another scene, another program.
        let second = bound("#fefefe");
        key(&second).fit(second.clone());
        assert_ne!(std::fs::read(&path).unwrap(), whole);
        let other_build = CachedFit::new(&pattern, &first.digest(), Some("build"));
        assert_ne!(other_build.key, kept.key);
        kept.fit(first.clone());
        assert_eq!(std::fs::read(&path).unwrap(), whole);

        // If nothing can be written, nothing is cached.
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(is_same(kept.fit(first).measured(), &numbers));
    }

    #[test]
    fn shards_name_the_folder_in_their_own_ways_and_share_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let names = [format!("{at}/####.png"), format!("{at}/./####.png")];
        let paths = names.map(|name| {
            let pattern = FramePattern::parse(&name).unwrap();
            CachedFit::new(&pattern, "d", None).path.file_name().map(ToOwned::to_owned)
        });
        assert_eq!(paths[0], paths[1]);
    }

    #[test]
    fn small_jobs_keep_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{}/####.png", folder.path().display());
        let pattern = FramePattern::parse(&name).unwrap();
        let small = bound("#ffffff");
        let digest = small.digest();
        assert!(small.vertices_to_fit() < MIN_VERTICES);
        fit(small, Some(&pattern), &digest, None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
