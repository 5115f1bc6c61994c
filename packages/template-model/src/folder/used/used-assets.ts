// Finds the assets that a template contains: all files of its own `assets/`, and the shared assets that its files name.
import type { Asset } from "../../template.ts";
import { sortedAssets, validAssets } from "../assets/asset-files.ts";
import { composed } from "../file-names.ts";
import type { OpenedFolder } from "./opened-folder.ts";

const sharedAssets = "shared/assets";

/** The names of all assets that the template can use. An asset of the template itself hides a shared one. */
export function assetNames(folder: OpenedFolder): Set<string> {
  return new Set(["assets", sharedAssets].flatMap((place) => folder.inside(place).map(({ path }) => composed(path))));
}

/** `named` are the names of the assets that the Liquid files and the styles use. */
export function usedAssets(folder: OpenedFolder, named: string[]): Record<string, Asset> {
  const { problems } = folder;
  const ownFiles = folder.inside("assets");
  const own = new Set(ownFiles.map(({ path }) => composed(path)));
  const others = new Set(named.filter((name) => !own.has(name)));
  // A template whose assets are not all its own needs the shared folder.
  for (const name of others) folder.has(`${sharedAssets}/${name}`);
  const sharedFiles = folder.inside(sharedAssets).filter(({ path }) => others.has(composed(path)));
  return sortedAssets({
    ...validAssets(sharedAssets, sharedFiles, problems),
    ...validAssets("assets", ownFiles, problems),
  });
}
