type Finding = { readonly fault: string; readonly found: string; readonly mended: string }

/** The defects that fault injection has found, and their fixes. */
export const FOUND: readonly Finding[] = [
  {
    fault: 'F14',
    found: 'With its log on a full disk the service ended with an unhandled error.',
    mended: 'It goes on, lines wait up to a megabyte, and standard error says so once.',
  },
  {
    fault: 'F14',
    found:
      'A service whose log could not be written stood still for a minute when it was told to stop, and ended with exit code 70.',
    mended: 'What cannot be written is given up at the end.',
  },
  {
    fault: 'S77',
    found: 'A mail server that answers with 80 kB in one word kept the process busy for 8 seconds.',
    mended: 'The expression takes linear time, and a test examines all of them.',
  },
  {
    fault: 'F17',
    found:
      'A service that was told to stop in its first half second could hang: a thread of the compiler and the end of the process waited for each other.',
    mended: 'Until it listens, it now ends by the signal itself.',
  },
]
