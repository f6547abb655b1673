import { watchEventLoop } from '../../src/cli/watchdog.ts'

// A program whose event loop is watched, with two seconds of patience. With the argument `stuck` it blocks forever, as the
// embedded database does if its log cannot grow; otherwise it runs until SIGTERM.
const [, , dataDir = '', state] = process.argv
watchEventLoop(dataDir, 2)
process.on('SIGTERM', () => process.exit(state === 'stuck' ? 1 : 0))
setInterval(() => {
  console.log('alive')
  while (state === 'stuck');
}, 500)
