export {}

declare global {
  function trackEvent(name: string, data?: object): void
  var appVersion: string
  interface Window {
    analytics: { enabled: boolean }
  }
  namespace App {
    type Id = string
  }
}
