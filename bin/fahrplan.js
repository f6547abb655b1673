#!/usr/bin/env -S node --max-semi-space-size=8 --
// Plain JavaScript, so that an old Node can still say what it lacks. "--" keeps Node from reading the file of --env-file itself.
const [major] = process.versions.node.split('.')

if (Number(major) < 24) {
  console.error(
    `Fahrplan needs Node.js 24 or newer; this is ${process.version}. "npm run cli --" and "npm start" bring their own on Linux and Windows; elsewhere install Node.js 24.`,
  )
  process.exit(1)
}

const { enableCompileCache } = await import('node:module')
enableCompileCache()

const { main } = await import('../src/cli/main.ts')
await main(process.argv.slice(2))
