import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreloaded } from '../ui/deferred.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Icon } from '../ui/icon.tsx'
import type { PrintMenuPanelProps } from './print-menu-panel.tsx'

const loadPanel = () => import('./print-menu-panel.tsx')
const Panel = lazy(loadPanel)

type PrintMenuProps = PrintMenuPanelProps & {
  readonly className: string | undefined
  /** The class of the word beside the icon. */
  readonly wordClass: string | undefined
}

/** Prints the view, or the day sheet of one instructor or of all. */
export function PrintMenu({ className, wordClass, ...panel }: PrintMenuProps) {
  const { t } = useTranslation()
  usePreloaded(loadPanel)
  return (
    <Disclosure
      className={className}
      align="end"
      name={t('action.print')}
      label={
        <>
          <Icon name="print" />
          <span className={wordClass}>{t('action.print')}</span>
        </>
      }
    >
      {(close) => (
        <Suspense>
          <Panel {...panel} onClose={close} />
        </Suspense>
      )}
    </Disclosure>
  )
}
