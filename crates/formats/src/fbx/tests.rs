//! Files made here.
