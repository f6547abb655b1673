import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './account-page.module.css'

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void }

/** Shows new recovery codes, once. Only its button closes the dialog; going back does not. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation()
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true })
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast({ kind: 'done', text: t('account.copied') }),
      () => toast({ kind: 'problem', text: t('account.notCopied') }),
    )
  return (
    <Dialog
      title={t('account.codesTitle')}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Notice kind="warn">{t('account.codesOnce')}</Notice>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={layout.ending}>
        <Button icon="print" onClick={() => window.print()}>
          {t('action.print')}
        </Button>
        <Button icon="copy" onClick={() => void copy()}>
          {t('account.copy')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('account.kept')}
        </Button>
      </div>
    </Dialog>
  )
}
