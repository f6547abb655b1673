import type { Page } from 'playwright-core'
import type { Texts } from '../../src/web/i18n/de.ts'

/** Brings a page that shows the board to what a picture shall show. */
export type Scene = (page: Page, texts: Texts) => Promise<void>
