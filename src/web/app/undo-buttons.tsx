import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import type { Language } from '../ui/i18n/i18n.ts'
import { keyLabelsFor } from '../ui/key-names.ts'
import { SHORTCUTS } from '../ui/shortcuts.ts'
import { redo, undo, useNextSteps } from '../ui/undo/steps.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import css from './shell.module.css'

/** Undoes and redoes this tab's steps, by button or key. The buttons name the step. */
export function UndoButtons() {
  const { t, i18n } = useTranslation()
  const next = useNextSteps()
  useShortcuts({ undo: () => void undo(), redo: () => void redo() })
  const labels = {
    undo: next.undo === undefined ? t('action.undo') : t('undo.next', { step: next.undo }),
    redo: next.redo === undefined ? t('action.redo') : t('undo.again', { step: next.redo }),
  }
  const keysOf = (shortcut: 'undo' | 'redo') =>
    keyLabelsFor(SHORTCUTS[shortcut].keys, i18n.language as Language)[0]?.join('+')
  return (
    <div className={css.undo}>
      <Button
        look="bare"
        icon="undo"
        aria-label={labels.undo}
        title={`${labels.undo} (${keysOf('undo')})`}
        disabled={next.undo === undefined}
        onClick={() => void undo()}
      />
      <Button
        look="bare"
        icon="redo"
        aria-label={labels.redo}
        title={`${labels.redo} (${keysOf('redo')})`}
        disabled={next.redo === undefined}
        onClick={() => void redo()}
      />
    </div>
  )
}
