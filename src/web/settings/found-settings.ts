import { searchAmong } from '../../domain/search.ts'
import { plain, wordsIn } from '../../domain/spelling.ts'
import { type Chapter, chapterIn } from './chapters.ts'

export type FoundSetting = {
  readonly label: string
  readonly group: string
  readonly help: string
  readonly chapter: Chapter
  readonly element: HTMLElement
}

const MOST = 10

/**
 * Finds settings by their labels, then by their help texts, best first. They are read from the page, so that none is forgotten
 * and the language is that of the screen.
 */
export function findSettings(page: HTMLElement, text: string, country: string): readonly FoundSetting[] {
  const all = settingsOn(page)
  const typed = wordsIn(text).map(plain)
  if (typed.length === 0) return []
  const byLabel = searchAmong(all, ({ label, group }) => ({ names: [label], words: group }), country)(text)
  const byHelp = all.filter((one) => !byLabel.includes(one) && isIn(one, typed))
  return [...byLabel, ...byHelp].slice(0, MOST)
}

function isIn({ label, group, help }: FoundSetting, typed: readonly string[]): boolean {
  const words = wordsIn(`${label} ${group} ${help}`).map(plain)
  return typed.every((one) => words.some((word) => word.startsWith(one)))
}

function settingsOn(page: HTMLElement): readonly FoundSetting[] {
  const groups = [...page.querySelectorAll<HTMLElement>('[data-chapter] fieldset')]
  const found = groups.flatMap((group) => {
    const chapter = chapterIn(group.closest<HTMLElement>('[data-chapter]')?.dataset.chapter)
    if (!chapter) return []
    const title = textOf(group.querySelector('legend'))
    const help = [...group.querySelectorAll(':scope > p')].map(textOf).join(' ')
    const fields = [...group.querySelectorAll<HTMLInputElement>('input, textarea, select')]
      .filter(isReachable)
      .map((element) => ({ ...textsOf(element), group: title, chapter, element }))
    return [{ label: title, group: '', help, chapter, element: group }, ...fields]
  })
  return found.filter(({ label }) => label !== '')
}

function isReachable(element: HTMLInputElement): boolean {
  return element.type !== 'hidden' && element.closest('[hidden]:not([data-chapter])') === null
}

function textsOf(element: HTMLInputElement): Pick<FoundSetting, 'label' | 'help'> {
  const described = (element.getAttribute('aria-describedby') ?? '').split(' ')
  return {
    label: element.getAttribute('aria-label') ?? textOf(element.labels?.[0] ?? null),
    help: described.map((id) => textOf(document.getElementById(id))).join(' '),
  }
}

/** Returns the text without the asterisk of a required field. */
function textOf(element: Element | null): string {
  return (element?.textContent ?? '').replace('*', '').trim()
}
