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

#[cfg(test)]
mod tests {
    use super::{
        super::{moments::Moments, ssim::Ssim},
        *,
    };

    /// Values of many sizes whose sums are rounded.
    fn values(count: usize, seed: u64) -> Vec<f64> {
        let value = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed) as f64 / 3e18;
        (1..=count as u64).map(value).collect()
    }

    #[test]
    fn sums_have_the_same_bits_in_wide_registers_and_in_those_of_the_baseline() {
        for count in [1, 31, 32, 33, 1000, 1024] {
            let (r, a, d) = (values(count, 1), values(count, 2), values(count, 3));
            let wide = vectorised(
                #[inline(always)]
                || Moments::of_block(&r, &a, &d),
            );
            assert_eq!(wide, Moments::of_block(&r, &a, &d));
        }
    }

    #[test]
    fn similarity_has_the_same_bits_in_wide_registers_and_in_those_of_the_baseline() {
        let (mut wide, mut narrow) = (Ssim::new(117, 255.0), Ssim::new(117, 255.0));
        for row in 0..30 {
            let (x, y) = (values(117, row), values(117, row + 100));
            vectorised(
                #[inline(always)]
                || wide.push(&x, &y),
            );
            narrow.push(&x, &y);
        }
        assert_eq!(wide.sum().to_bits(), narrow.sum().to_bits());
    }
}
