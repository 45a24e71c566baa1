//! What does the operating system do for us that the standard library has no safe call for?
//!
//! The only unsafe code outside [`crate::litert`].

use std::{
    fs::File,
    io,
    os::{fd::FromRawFd, unix::fs::OpenOptionsExt},
    path::Path,
    time::{Duration, Instant},
};

use memmap2::Mmap;

/// Maps a whole file for reading. An empty file gives an empty slice.
pub fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is only read. A file that somebody else shortens meanwhile ends the process with SIGBUS
    // instead of giving wrong data; graphs and tensors are written once and renamed into place, never shortened.
    unsafe { Mmap::map(file) }
}

/// Kills the process group `group`, leader and children. A group that is already gone is no error.
pub fn kill_group(group: u32) -> io::Result<()> {
    let Ok(group) = libc::pid_t::try_from(group) else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    if group <= 1 {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    // SAFETY: a system call on plain integers. Groups 0 and 1, which would mean our own and everybody's, are refused above.
    if unsafe { libc::killpg(group, libc::SIGKILL) } == 0 {
        return Ok(());
    }
    match io::Error::last_os_error() {
        gone if gone.raw_os_error() == Some(libc::ESRCH) => Ok(()),
        error => Err(error),
    }
}

/// True when the child `process` has ended. It stays to be reaped, so its number and that of its group still are its own.
pub fn has_ended(process: u32) -> io::Result<bool> {
    // SAFETY: siginfo_t is plain data, for which all zeros is a valid value; waitid overwrites it.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `info` lives through the call, which writes nothing else.
    if unsafe { libc::waitid(libc::P_PID, process, &mut info, flags) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: after a successful waitid the field is set; it is 0 when no child has changed state.
    Ok(unsafe { info.si_pid() } != 0)
}

/// Opens a file for reading, if it is one: never waits for a writer of a pipe, never reads a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
}

/// Ends the process at once: no destructors, no exit handlers. For an agent whose host is gone while a runtime call hangs.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: _exit takes an integer, touches no memory of ours and does not return.
    unsafe { libc::_exit(code) }
}

/// Takes standard output away from everybody else in this process: what is later printed to it, by whatever library,
/// goes to standard error. The file returned is the only way to the former standard output.
pub fn claim_stdout() -> io::Result<File> {
    // SAFETY: system calls on plain integers. The new descriptor is ours alone from here on.
    unsafe {
        let stdout = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if stdout < 0 {
            return Err(io::Error::last_os_error());
        }
        let stdout = File::from_raw_fd(stdout);
        if libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(stdout)
    }
}

/// What ended a wait for standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdinWait {
    /// It is closed, or broken.
    Closed,
    /// The time is over and it is still open.
    TimeOver,
}

/// Waits until standard input is closed or `limit` has passed. What arrives meanwhile is thrown away.
pub fn wait_for_stdin_end(limit: Option<Duration>) -> StdinWait {
    let end = limit.map(|limit| Instant::now() + limit);
    loop {
        let timeout_ms = match end {
            None => -1,
            Some(end) => match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return StdinWait::TimeOver,
                // Rounded up so that the last wait does not spin; a longer wait goes round again.
                left => libc::c_int::try_from(left.as_millis().saturating_add(1)).unwrap_or(libc::c_int::MAX),
            },
        };
        let mut stdin = libc::pollfd {
            fd: libc::STDIN_FILENO,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one valid pollfd, as said.
        let ready = unsafe { libc::poll(&mut stdin, 1, timeout_ms) };
        if ready == 0 || (ready < 0 && interrupted()) {
            continue;
        }
        if ready < 0 {
            return StdinWait::Closed;
        }
        let mut sink = [0u8; 256];
        // SAFETY: the buffer is ours and as long as said.
        let got = unsafe { libc::read(libc::STDIN_FILENO, sink.as_mut_ptr().cast(), sink.len()) };
        if got == 0 || (got < 0 && !interrupted()) {
            return StdinWait::Closed;
        }
    }
}

fn interrupted() -> bool {
    io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
}
