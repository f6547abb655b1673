import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Chapter } from './chapters.ts'

const MARKED_MS = 2500

const WITH_LABEL = '.mantine-InputWrapper-root, .mantine-Switch-root'

/** Returns a function that scrolls to a setting, focuses and marks it as soon as its chapter is shown. */
export function useShowField(content: RefObject<HTMLElement | null>, chapter: Chapter) {
  const wanted = useRef<HTMLElement>(undefined)
  const last = useRef(chapter)
  useLayoutEffect(() => {
    if (last.current !== chapter) content.current?.scrollTo({ top: 0 })
    last.current = chapter
    show(wanted)
  })
  return (element: HTMLElement) => {
    wanted.current = element
    show(wanted)
  }
}

function show(wanted: RefObject<HTMLElement | undefined>): void {
  const element = wanted.current
  if (!element || element.closest('[hidden]')) return
  wanted.current = undefined
  const isGroup = element.matches('fieldset')
  const field = isGroup ? element.querySelector<HTMLElement>('input, textarea, select, button') : element
  const marked = isGroup ? element : (element.closest<HTMLElement>(WITH_LABEL) ?? element)
  marked.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
  marked.dataset.found = ''
  setTimeout(() => delete marked.dataset.found, MARKED_MS)
}
