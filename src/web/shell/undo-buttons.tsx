import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { redo, undo, useNextSteps } from '../undo/steps.ts'
import css from './shell.module.css'

/** Takes back the last steps of this tab, and does them again: by button, which says what, and by key. */
export function UndoButtons() {
  const { t } = useTranslation()
  const next = useNextSteps()
  useShortcuts({ undo: () => void undo(), redo: () => void redo() })
  const words = {
    undo: next.undo === undefined ? t('action.undo') : t('undo.next', { step: next.undo }),
    redo: next.redo === undefined ? t('action.redo') : t('undo.again', { step: next.redo }),
  }
  return (
    <div className={css.undo}>
      <Button
        look="bare"
        icon="undo"
        aria-label={words.undo}
        title={`${words.undo} (Ctrl+Z)`}
        disabled={next.undo === undefined}
        onClick={() => void undo()}
      />
      <Button
        look="bare"
        icon="redo"
        aria-label={words.redo}
        title={`${words.redo} (Ctrl+Y)`}
        disabled={next.redo === undefined}
        onClick={() => void redo()}
      />
    </div>
  )
}
