import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { usePreloaded } from '../ui/deferred.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import type { BoardSearch } from './board-search.ts'

const loadPanel = () => import('./instructor-filter-panel.tsx')
const Panel = lazy(loadPanel)

export type InstructorFilterProps = {
  readonly search: BoardSearch
  /** The instructors who can have a column. */
  readonly choice: readonly Instructor[]
  readonly shown: readonly Instructor[]
  readonly go: (change: Partial<BoardSearch>) => void
}

/** Shows how many instructors have a column; opens to choose them. */
export function InstructorFilter(props: InstructorFilterProps) {
  const { choice, shown } = props
  const { t } = useTranslation()
  usePreloaded(loadPanel)
  return (
    <Disclosure
      label={
        <>
          <Icon name="instructor" />
          <span>
            {t('board.instructors')} {t('board.shownOf', { shown: shown.length, all: choice.length })}
          </span>
        </>
      }
    >
      {() => (
        <Suspense>
          <Panel {...props} />
        </Suspense>
      )}
    </Disclosure>
  )
}
