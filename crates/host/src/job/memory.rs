//! Memory of this process: its peak, and its limit.

/// Peak resident size of this process so far, in bytes; `None` if the system does not report it
/// (outside Linux).
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Bytes that this process may still use, as far as the system reports it: free memory and caches
/// that can be dropped, the limits of its control groups, or its resource limits, whichever is
/// least. `None` outside Linux.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| free_memory(&text));
    let limits = read("/proc/self/limits");
    let limit = |name: &str| limits.as_deref().and_then(|text| resource_limit(text, name));
    [free, limit("Max address space"), limit("Max data size"), group_limit()]
        .into_iter()
        .flatten()
        .min()
}

/// Bytes that no process of this machine can exceed: its memory including swap, or the limit of a
/// control group. `None` outside Linux.
#[must_use]
pub fn machine_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let text = read("/proc/meminfo")?;
    let all = kib(&text, "MemTotal:")?.saturating_add(kib(&text, "SwapTotal:").unwrap_or(0));
    [Some(all), group_limit()].into_iter().flatten().min()
}

/// The lowest limit of the control groups of this process.
fn group_limit() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let group = read("/proc/self/cgroup");
    let groups = group_files(group.as_deref().unwrap_or_default()).into_iter();
    groups.filter_map(|path| read(&path)?.trim().parse::<u64>().ok()).min()
}

/// `MemAvailable` of `/proc/meminfo`.
fn free_memory(text: &str) -> Option<u64> {
    kib(text, "MemAvailable:")
}

/// A line of `/proc/meminfo` in bytes.
fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The soft limit of that name in `/proc/self/limits`. None if it is unlimited.
fn resource_limit(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The files with the memory limits of the control groups in `/proc/self/cgroup` and their parents:
/// version 2, then version 1.
fn group_files(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, name) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|one| one == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            files.push(format!("{root}{path}/{name}"));
            match path.rsplit_once('/') {
                Some((above, _)) => path = above,
                None => break,
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_may_be_used_is_read_from_the_system() {
        assert_eq!(free_memory("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(free_memory("MemTotal: 9 kB\n"), None);
        assert_eq!(kib("MemTotal: 9 kB\n", "MemTotal:"), Some(9 << 10));
        let limits = "Limit   Soft Limit   Hard Limit   Units\nMax data size   unlimited   unlimited   bytes\n\
                      Max address space         4194304              unlimited            bytes\n";
        assert_eq!(resource_limit(limits, "Max address space"), Some(4 << 20));
        assert_eq!(resource_limit(limits, "Max data size"), None);
        let files = ["/a/b/memory.max", "/a/memory.max", "/memory.max"];
        assert_eq!(group_files("0::/a/b\n"), files.map(|file| format!("/sys/fs/cgroup{file}")));
        assert_eq!(group_files("0::/\n"), ["/sys/fs/cgroup/memory.max"]);
        assert_eq!(
            group_files("5:cpu,memory:/x\n4:pids:/y\n")[0],
            "/sys/fs/cgroup/memory/x/memory.limit_in_bytes"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_of_this_machine_is_known() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
        assert!(machine_memory() >= available_memory());
    }
}
