import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import field from '../../ui/field.module.css'
import { Notice } from '../../ui/notice.tsx'
import css from './link-panel.module.css'

/** The address of a new link, to copy or open. */
export function MadeAddress({ url, isCalendar }: { readonly url: string; readonly isCalendar: boolean }) {
  const { t } = useTranslation()
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
        <CopyButton text={url} look="primary" />
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

/** Returns the target of the link: a page opens in a new tab, a calendar in another program. */
function targetProps(isCalendar: boolean) {
  return isCalendar ? {} : { target: '_blank', rel: 'noreferrer' }
}
