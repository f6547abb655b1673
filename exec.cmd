@rem npm runs scripts by cmd.exe on Windows, which has no "exec": there the command runs as it is.
@%*
