const { key } = document.querySelector('[data-key]').dataset
const supported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

function show(state) {
  for (const part of document.querySelectorAll('[data-when]'))
    part.hidden = !part.dataset.when.split(' ').includes(state)
}

async function post(act, { endpoint, keys = {} }) {
  const body = new URLSearchParams({ act, endpoint, ...keys })
  const { ok, status } = await fetch(location.href, { method: 'POST', body })
  // The proof has expired.
  if (status === 403) location.reload()
  if (!ok) throw new Error(`HTTP ${status}`)
}

async function pushManager() {
  await navigator.serviceWorker.register('worker.js', { scope: './' })
  return (await navigator.serviceWorker.ready).pushManager
}

/** Whether the service can still send to a subscription: its key changes with its secret. */
function isCurrent({ options: { applicationServerKey } }) {
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key
}

async function look() {
  const subscription = await (await pushManager()).getSubscription()
  if (subscription && !isCurrent(subscription)) await subscription.unsubscribe()
  else if (subscription) {
    // The service may have forgotten it.
    await post('subscribe', subscription.toJSON())
    return 'on'
  }
  return Notification.permission === 'denied' ? 'denied' : 'off'
}

const acts = {
  async subscribe() {
    const options = { userVisibleOnly: true, applicationServerKey: key }
    const subscription = await (await pushManager()).subscribe(options)
    await post('subscribe', subscription.toJSON())
    return 'on'
  },
  async unsubscribe() {
    const subscription = await (await pushManager()).getSubscription()
    if (subscription) {
      await post('unsubscribe', subscription.toJSON())
      await subscription.unsubscribe()
    }
    return 'off'
  },
}

async function showAfter(act) {
  try {
    show(await act())
  } catch {
    show(Notification.permission === 'denied' ? 'denied' : 'failed')
  }
}

if (supported) {
  for (const button of document.querySelectorAll('button[data-act]'))
    button.addEventListener('click', () => showAfter(acts[button.dataset.act]))
  showAfter(look)
}
