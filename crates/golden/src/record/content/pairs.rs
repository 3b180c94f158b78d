//! Pairs of items of two lists: by name, then by content, then by position.

/// Pairs of two lists, and the items without a partner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::record) struct Pairs {
    /// For each entry of the new list, the index of its partner in the old one.
    pub of_new: Vec<Option<usize>>,
    /// Indices in the old list without a partner.
    pub gone: Vec<usize>,
}

impl Pairs {
    /// Pairs items for which any of several tests is true; an earlier test pairs before a later
    /// one, and within a test the first of the old list are paired first.
    pub(in crate::record) fn new(
        counts: [usize; 2],
        tests: &[&dyn Fn(usize, usize) -> bool],
    ) -> Self {
        let [old, new] = counts;
        let mut of_new = vec![None; new];
        let mut free: Vec<usize> = (0..old).collect();
        for is_pair in tests {
            for (index, partner) in of_new.iter_mut().enumerate() {
                if partner.is_some() {
                    continue;
                }
                if let Some(place) = free.iter().position(|&old| is_pair(old, index)) {
                    *partner = Some(free.remove(place));
                }
            }
        }
        Self { of_new, gone: free }
    }

    /// The pairs, old and new, in the order of the new list.
    pub(in crate::record) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.of_new.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new)))
    }

    /// Things of the new list without a partner.
    pub(in crate::record) fn fresh(&self) -> impl Iterator<Item = usize> + '_ {
        self.of_new.iter().enumerate().filter(|(_, old)| old.is_none()).map(|(new, _)| new)
    }

    /// True if partners are in another order.
    pub(in crate::record) fn is_reordered(&self) -> bool {
        let old: Vec<usize> = self.iter().map(|(old, _)| old).collect();
        old.windows(2).any(|pair| pair[0] > pair[1])
    }

    /// The partner of a thing of the old list.
    pub(in crate::record) fn of_old(&self, old: usize) -> Option<usize> {
        self.of_new.iter().position(|&partner| partner == Some(old))
    }
}
