import { type ComponentProps, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

type PageHeadingProps = Omit<ComponentProps<'h1'>, 'title'> & {
  /** The page's name, also in the navigation and among the commands. */
  readonly title: string
}

/** The heading of a page, which names the page in the browser, too. `children` are shown in place of the title. */
export function PageHeading({ title, children = title, ...more }: PageHeadingProps) {
  const { t } = useTranslation()
  const app = t('app.name')
  useEffect(() => {
    document.title = title === app ? app : `${title} – ${app}`
    return () => {
      document.title = app
    }
  }, [title, app])
  return <h1 {...more}>{children}</h1>
}
