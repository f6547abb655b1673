import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import field from '../../ui/field.module.css'
import { Notice } from '../../ui/notice.tsx'
import css from './link-panel.module.css'

/** The address of a new link, to copy or open. */
export function MadeAddress({ url, isCalendar }: { readonly url: string; readonly isCalendar: boolean }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  // Without HTTPS there is no clipboard; the field can be copied by hand.
  const clipboard = navigator.clipboard as Clipboard | undefined
  const copy = async () => {
    await clipboard?.writeText(url).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <div className={css.made}>
      <Notice kind="good" isAnswer>
        {t('links.once')}
      </Notice>
      <input
        className={field.field}
        aria-label={t('links.address')}
        value={url}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <div className={css.buttons}>
        {clipboard && (
          <Button look="primary" icon="copy" onClick={() => void copy()}>
            <span aria-live="polite">{t(isCopied ? 'links.copied' : 'links.copy')}</span>
          </Button>
        )}
        <a
          className={css.open}
          href={isCalendar ? url.replace(/^https?:/, 'webcal:') : url}
          {...targetProps(isCalendar)}
        >
          {t(isCalendar ? 'links.subscribe' : 'links.open')}
        </a>
      </div>
    </div>
  )
}

/** A page opens in a new tab; a calendar is another program. */
function targetProps(isCalendar: boolean) {
  return isCalendar ? {} : { target: '_blank', rel: 'noreferrer' }
}
