//! One file per subcommand: arguments in, printing out, nothing else.
