import { watchEventLoop } from '../../src/cli/watchdog.ts'

// A program whose event loop never turns again: what the embedded database does when its disk is full.
const [, , dataDir = ''] = process.argv
process.on('SIGTERM', () => undefined)
watchEventLoop(dataDir, 2)
setTimeout(() => {
  console.log('stuck')
  for (;;);
}, 500)
