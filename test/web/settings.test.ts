import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('no entry of the list of chapters moves when another is chosen', async () => {
  const viewport = { width: 1280, height: 900 }
  const page = await open('/settings', { as: await aSchool(service()), locale: 'de-DE', viewport })
  const links = page.locator('main nav a')
  await links.first().waitFor()
  const places = async () => {
    const boxes = []
    for (const link of await links.all()) boxes.push((await boxOf(link)).y)
    return boxes
  }
  const before = await places()
  for (const link of await links.all()) {
    await link.click()
    await link.and(page.locator('[aria-current=page]')).waitFor()
    expect(await places(), await link.innerText()).toEqual(before)
  }
})
