import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreloaded } from '../ui/deferred.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import type { InstructorFilterProps } from './instructor-filter-panel.tsx'

const loadPanel = () => import('./instructor-filter-panel.tsx')
const Panel = lazy(loadPanel)

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
