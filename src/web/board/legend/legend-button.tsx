import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Deferred } from '../../ui/deferred.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

const loadLegend = () => import('./legend-dialog.tsx')

/** Opens the legend of the board's colours and signs, by click or key. */
export function LegendButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  useShortcuts({ legend: () => setOpen(true) })
  return (
    <>
      <button
        type="button"
        className="legend-button"
        title={`${t('board.legend')} (l)`}
        aria-label={t('board.legend')}
        onClick={() => setOpen(true)}
      >
        <Icon name="legend" />
      </button>
      {isOpen && <Deferred load={loadLegend} props={{ onClose: close }} />}
    </>
  )
}
