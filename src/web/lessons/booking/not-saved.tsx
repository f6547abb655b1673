import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isFarFromActualTimes, problemMessage } from '../../ui/problem-messages.ts'

type NotSavedProps = { readonly error: unknown; readonly onWithoutActualTimes: () => void }

/** Why a form was not saved (other than a rule), and the way out if there is one. */
export function NotSaved({ error, onWithoutActualTimes }: NotSavedProps) {
  const { t } = useTranslation()
  return (
    <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
      <p>{problemMessage(error, t)}</p>
      {isFarFromActualTimes(error) && (
        <Button onClick={onWithoutActualTimes}>{t('booking.withoutActual')}</Button>
      )}
    </Notice>
  )
}
