import { useTranslation } from 'react-i18next'
import { Confirmation } from './confirmation.tsx'

type DiscardingProps = { readonly onStay: () => void; readonly onDiscard: () => void }

/** Asks for confirmation before input is lost. */
export function Discarding({ onStay, onDiscard }: DiscardingProps) {
  const { t } = useTranslation()
  return (
    <Confirmation
      title={t('form.discardTitle')}
      keep={t('form.stay')}
      act={t('form.discard')}
      isBusy={false}
      error={null}
      onAct={onDiscard}
      onClose={onStay}
    >
      {t('form.unsaved')}
    </Confirmation>
  )
}
