import { useTranslation } from 'react-i18next'
import type { PasswordLink, SchoolUser } from '../../../contract/user.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { momentText } from '../../ui/moment-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import { useCopying } from '../../ui/use-copying.ts'
import css from './users-page.module.css'

type LinkBoxProps = {
  readonly user: Pick<SchoolUser, 'name' | 'email'>
  readonly link: PasswordLink
}

/** A new link, shown once, to pass on to its user. */
export function LinkBox({ user, link: { url, expires_at, is_mailed } }: LinkBoxProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { field, outcome, copy } = useCopying(url)
  return (
    <Notice kind="good" isAnswer>
      <div className={css.link}>
        <p>
          {t('users.linkOnce', { name: user.name, until: momentText(expires_at, school) })}{' '}
          {is_mailed && t('users.linkMailed', { email: user.email })}
        </p>
        <TextField
          ref={field}
          label={t('users.link')}
          value={url}
          readOnly
          onFocus={({ target }) => target.select()}
        />
        <div className={css.actions}>
          <Button icon="copy" onClick={copy}>
            {t('users.copy')}
          </Button>
          <span role="status">{outcome && t(`users.${outcome}`)}</span>
        </div>
      </div>
    </Notice>
  )
}
