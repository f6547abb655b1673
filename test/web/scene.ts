import type { Page } from 'playwright-core'
import type { FirstTexts } from '../../src/web/ui/i18n/de.ts'
import type { LaterTexts } from '../../src/web/ui/i18n/de-later.ts'

/** A function that brings a page from the board to the state of a picture. */
export type Scene = (page: Page, texts: FirstTexts & LaterTexts) => Promise<void>
