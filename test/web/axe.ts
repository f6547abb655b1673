import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

export const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** The rules to repeat in dark mode: all others give the same results in both colour schemes. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } }

/** Returns axe's findings in every size and colour scheme of the page: rule, element and reason. */
export async function faultsOf(shownPage: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [size, viewport] of Object.entries({ DESKTOP, PHONE })) {
    await shownPage.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await shownPage.emulateMedia({ colorScheme })
      await shownPage.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      const found = await run(shownPage, colorScheme === 'light' ? {} : COLOURS)
      faults.push(...found.map((fault) => `${size} ${colorScheme} ${fault}`))
    }
  }
  return faults
}

async function run(shownPage: Page, options: RunOptions): Promise<string[]> {
  const found = await shownPage.evaluate<Result[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ''}`),
  )
}
