import { existsSync } from 'node:fs'
import packaged from '@sparticuz/chromium'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
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

/** The Chromium of this machine, or else the one that an npm package brings along. */
async function chromiumPath(): Promise<string> {
  const own = [process.env.CHROMIUM_PATH ?? '', ...KNOWN_PLACES].find((one) => existsSync(one))
  return own ?? (await packaged.executablePath())
}
