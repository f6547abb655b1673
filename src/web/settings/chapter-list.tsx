import { Link, useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import field from '../ui/field.module.css'
import { useSchool } from '../ui/school.tsx'
import css from './chapter-list.module.css'
import { CHAPTERS, type Chapter } from './chapters.ts'
import { type FoundSetting, findSettings } from './found-settings.ts'

type ChapterListProps = {
  readonly content: RefObject<HTMLElement | null>
  readonly shown: Chapter
  readonly onFound: (setting: FoundSetting) => void
}

/** The search and the list of chapters; while something is typed, the settings that it finds. */
export function ChapterList({ content, shown, onFound }: ChapterListProps) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly FoundSetting[]>([])
  const search = (typed: string) => {
    setText(typed)
    setFound(content.current ? findSettings(content.current, typed, tenant.country) : [])
  }
  const navigate = useNavigate()
  const take = (setting: FoundSetting) => {
    search('')
    onFound(setting)
  }
  const takeFirst = () => {
    const [first] = found
    if (!first) return
    void navigate({ to: '/settings', search: { chapter: first.chapter } })
    take(first)
  }
  const isSearching = text.trim() !== ''
  return (
    <nav className={css.nav} aria-label={t('settings.chapterList')}>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            takeFirst()
          }}
        >
          <input
            type="search"
            className={`${field.field} ${css.search}`}
            aria-label={t('settings.search')}
            placeholder={t('settings.search')}
            value={text}
            onChange={({ target }) => search(target.value)}
          />
        </form>
      </search>
      <p className={css.outcome} role="status">
        {isSearching && found.length === 0 && t('settings.nothingFound')}
      </p>
      <ul className={css.list}>
        {isSearching
          ? found.map((setting, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Several fields may have the same texts.
              <li key={index}>
                <Link
                  to="/settings"
                  search={{ chapter: setting.chapter }}
                  className={css.link}
                  onClick={() => take(setting)}
                >
                  {setting.label}
                  <span className={css.where}>
                    {[t(`settings.chapters.${setting.chapter}`), setting.group].filter(Boolean).join(' · ')}
                  </span>
                </Link>
              </li>
            ))
          : CHAPTERS.map((chapter) => (
              <li key={chapter}>
                <Link
                  to="/settings"
                  search={{ chapter }}
                  className={css.link}
                  activeProps={{}}
                  aria-current={chapter === shown ? 'page' : undefined}
                >
                  {t(`settings.chapters.${chapter}`)}
                </Link>
              </li>
            ))}
      </ul>
    </nav>
  )
}
