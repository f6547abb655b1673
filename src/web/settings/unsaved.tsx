import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Confirmation } from '../dialogs/confirmation.tsx'

/** Asks before what has been filled in is lost by going to another page. */
export function Unsaved({ isUnsaved }: { isUnsaved: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Confirmation
      title={t('settings.unsaved')}
      keep={t('settings.stay')}
      act={t('settings.leave')}
      isBusy={false}
      error={null}
      onAct={blocker.proceed}
      onClose={blocker.reset}
    >
      {t('settings.unsavedHint')}
    </Confirmation>
  )
}
