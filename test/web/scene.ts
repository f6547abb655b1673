import type { Page } from 'playwright-core'
import type { FirstTexts } from '../../src/web/ui/i18n/de.ts'
import type { LaterTexts } from '../../src/web/ui/i18n/de-later.ts'

/** Brings a page that shows the board to what a picture shall show. */
export type Scene = (page: Page, texts: FirstTexts & LaterTexts) => Promise<void>
