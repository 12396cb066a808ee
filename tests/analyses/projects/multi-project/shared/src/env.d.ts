declare const BUILT: boolean
