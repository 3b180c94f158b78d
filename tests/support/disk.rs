//! Small disks in memory, for trials of disks that are full or read-only. They need the right to
//! mount.

use super::cannot_run;
use libtest_mimic::{Failed, Trial};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A disk in memory, unmounted with this value.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// Mounts a disk with options of tmpfs such as `size=64k`.
    pub(crate) fn mounted(options: &str) -> Result<Self, Failed> {
        Self::try_mount(options)?.ok_or_else(|| "no right to mount a disk".into())
    }

    /// A disk. None without the right to mount.
    fn try_mount(options: &str) -> io::Result<Option<Self>> {
        let folder = TempDir::new()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path());
        mount.stdin(Stdio::null()).stderr(Stdio::null());
        // The value exists only where there is something to unmount.
        Ok(mount.status().is_ok_and(|status| status.success()).then(|| Self(folder)))
    }

    /// Its mount point.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a process of the trial may still be ending in it.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// True if this user may mount disks; tried once per program, with a temporary disk.
fn may_mount() -> bool {
    static MAY: OnceLock<bool> = OnceLock::new();
    *MAY.get_or_init(|| matches!(Disk::try_mount("size=4k"), Ok(Some(_))))
}

/// A test on a disk, which is mounted when the test begins.
pub(crate) fn on_a_disk(
    name: &str,
    run: fn(&Path) -> Result<(), Failed>,
    options: &'static str,
) -> Trial {
    match may_mount() {
        true => Trial::test(name, move || run(Disk::mounted(options)?.path())),
        false => cannot_run(name, "no right to mount a disk"),
    }
}
