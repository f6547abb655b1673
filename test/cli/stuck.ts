import { watchEventLoop } from '../../src/cli/watchdog.ts'

// A program that is watched, with two seconds of patience. Asked to be stuck, it never returns, as the embedded database does
// where its log cannot grow; otherwise it lives until it is told to end.
const [, , dataDir = '', state] = process.argv
watchEventLoop(dataDir, 2)
process.on('SIGTERM', () => process.exit(state === 'stuck' ? 1 : 0))
setInterval(() => {
  console.log('alive')
  while (state === 'stuck');
}, 500)
