import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** The folder of the package, where its Chromium is unpacked, so that another version is unpacked again. */
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

/** The milliseconds after which a page counts as hanging. One that is merely slow has taken 40 s beside three other test files. */
export const PAGE_TIMEOUT = 60_000

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args: ARGS })
}

/** Launches a Chromium with its profile in a folder. */
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

/** Returns the path of the npm package's headless Chromium, which is unpacked on the first call, unless CHROMIUM_PATH names another. */
export async function chromiumPath(): Promise<string> {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  if (!existsSync(UNPACKED)) await unpack()
  return join(UNPACKED, 'chromium')
}

/** Unpacks the package's Chromium atomically: a killed or concurrent process leaves no partial copy. */
async function unpack(): Promise<void> {
  const folder = await mkdtemp(join(PACKAGE, 'unpacking-'))
  // The package unpacks to the temporary folder, which can be changed only for another process.
  const script = "import('@sparticuz/chromium').then((packaged) => packaged.default.executablePath())"
  await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: folder } })
  await rename(folder, UNPACKED).catch(async (error: unknown) => {
    await rm(folder, { recursive: true })
    if (!existsSync(UNPACKED)) throw error
  })
}
