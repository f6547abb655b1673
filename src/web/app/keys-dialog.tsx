import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import type { Language } from '../ui/i18n/i18n.ts'
import { keyLabelsFor } from '../ui/key-names.ts'
import { SHORTCUTS, type Shortcut } from '../ui/shortcuts.ts'
import css from './keys-dialog.module.css'

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation()
  return (
    <Dialog title={t('keys.title')} onClose={onClose} size={620}>
      <dl className={css.keys}>
        {(Object.keys(SHORTCUTS) as Shortcut[]).map((shortcut) => (
          <div key={shortcut} className={css.line}>
            <dt>
              {keyLabelsFor(SHORTCUTS[shortcut].keys, i18n.language as Language).map((press, index) => (
                <Fragment key={press.join()}>
                  {index > 0 && ', '}
                  {press.map((key) => (
                    <kbd key={key} className={css.key}>
                      {key}
                    </kbd>
                  ))}
                </Fragment>
              ))}
            </dt>
            <dd>{t(SHORTCUTS[shortcut].label)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
