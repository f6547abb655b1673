import { createContext, type PropsWithChildren, useContext } from 'react'
import page from '../ui/page.module.css'
import type { Chapter } from './chapters.ts'

export const ShownChapter = createContext<Chapter>('school')

/** Fields of a chapter. Those of other chapters stay in the page, with unsaved input, for Save and the search. */
export function ChapterPart({ of, children }: PropsWithChildren<{ readonly of: Chapter }>) {
  const isShown = useContext(ShownChapter) === of
  return (
    <div className={page.sections} data-chapter={of} hidden={!isShown}>
      {children}
    </div>
  )
}
