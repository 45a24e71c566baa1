//! Who ends an agent whose host is gone, or whose time is over?

use std::{io, thread, time::Duration};

use super::entry::{EXIT_DEADLINE, EXIT_ORPHANED};
use crate::os::{self, StdinWait};

/// Ends the process when standard input closes, or after `deadline`. A runtime call that hangs cannot stop that.
///
/// Nothing is reported: standard output and error may be what hangs. The exit code says which it was.
pub(super) fn for_host_and_deadline(deadline: Option<Duration>) -> io::Result<()> {
    spawn(move || match os::wait_for_stdin_end(deadline) {
        StdinWait::Closed => os::exit_now(EXIT_ORPHANED.into()),
        StdinWait::TimeOver => os::exit_now(EXIT_DEADLINE.into()),
    })
}

/// Ends the process after `deadline`, for a job that did not come by standard input.
pub(super) fn for_deadline(deadline: Duration) -> io::Result<()> {
    spawn(move || {
        thread::sleep(deadline);
        os::exit_now(EXIT_DEADLINE.into())
    })
}

fn spawn(watch: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("watch".to_owned()).spawn(watch)?;
    Ok(())
}
