//! How does a loop use the vector registers this machine has?
//!
//! The baseline of x86-64 has registers of two f64; most machines have more. Work given to [`vectorised`] is compiled
//! for both and the better one is chosen when it runs. Both give the same bits: the compiler neither reorders
//! nor fuses floating-point arithmetic, so only code that says its order itself (see the lanes in `moments`) is faster.

/// Does `work` with the widest vector instructions there are. The closure and all it calls must be `#[inline(always)]`,
/// or it runs as it would without.
#[inline(always)]
pub(super) fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
